import type { Role, Token, User } from './model.ts';
import { requestJson } from './request.ts';

export async function listUsers(signal: AbortSignal): Promise<readonly User[]> {
  return (await requestJson('GET', '/api/users', { signal })).items;
}

export async function addUser(user: {
  username: string;
  password: string;
  role: Role;
}): Promise<void> {
  await requestJson('POST', '/api/users', { body: user });
}

export async function changeUser(
  id: number,
  change: { role?: Role; is_active?: boolean; password?: string; revoke_tokens?: boolean },
): Promise<void> {
  await requestJson('PATCH', '/api/users/{user_id}', { path: { user_id: id }, body: change });
}

export async function removeUser(id: number): Promise<void> {
  await requestJson('DELETE', '/api/users/{user_id}', { path: { user_id: id } });
}

export async function listTokensOf(id: number, signal: AbortSignal): Promise<readonly Token[]> {
  return (
    await requestJson('GET', '/api/users/{user_id}/tokens', { path: { user_id: id }, signal })
  ).items;
}

export async function revokeTokenOf(id: number, token: number): Promise<void> {
  await requestJson('DELETE', '/api/users/{user_id}/tokens/{token_id}', {
    path: { user_id: id, token_id: token },
  });
}
