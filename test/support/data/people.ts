import type { User } from '../../../src/core/accounts/account.ts';
import type { Role } from '../../../src/core/shared/requests/role.ts';
import type { TestApp } from '../http/app.ts';

const actor = { kind: 'system' } as const;
let userCount = 0;

/** Creates a user. The password is the user name. */
export function makeUser({ catalog }: TestApp, role: Role): Promise<User> {
  userCount += 1;
  const username = `${role}-${userCount}`;
  return catalog.accounts.createUser({ username, password: username, role }, actor);
}

/**
 * Creates a further token of a user and returns its value. The token has already expired if `days`
 * is negative.
 */
export async function makeToken({ catalog }: TestApp, user: User, days = 1): Promise<string> {
  return (await catalog.accounts.issueToken(user, 'test', days, actor)).value;
}

/** Creates a user with this role and a token. */
export async function makePerson(app: TestApp, role: Role): Promise<User & { token: string }> {
  const user = await makeUser(app, role);
  return { ...user, token: await makeToken(app, user) };
}
