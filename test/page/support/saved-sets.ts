import type { TestApp } from '../../support/http/app.ts';
import { passwordOf } from './test-server.ts';
import type { VisitorRole } from './visitors.ts';

export interface TestSet {
  readonly name: string;
  readonly rule: object;
  readonly prefer?: object | null;
  readonly shared?: boolean;
}

/** Saves a set for a user, and returns its id. */
export async function saveSet(
  { url }: Pick<TestApp, 'url'>,
  role: Exclude<VisitorRole, 'anonymous'>,
  set: TestSet,
): Promise<number> {
  const send = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${url}/api${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as { token: string; id: number };
  };
  const { token } = await send('/auth/login', { username: role, password: passwordOf(role) });
  return (await send('/sets', set, token)).id;
}
