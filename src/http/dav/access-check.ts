import type { Accounts } from '../../core/accounts/accounts.ts';
import { notAuthenticated } from '../../core/shared/errors.ts';
import { repeatedCheck } from '../shared/files/repeated-check.ts';
import type { BasicGrant } from './basic-access.ts';

/** How long the result of a credential check is valid, in milliseconds. */
const checkedMs = 1_000;

/**
 * Returns a function that throws `not authenticated` once a client has lost access: its token was
 * revoked or has expired, the user was deactivated, or `seesSet` resolves to false. The function is
 * called before each part of a long response.
 */
export function accessCheck(
  accounts: Accounts,
  { token, checkedAt }: Pick<BasicGrant, 'token' | 'checkedAt'>,
  seesSet: () => Promise<boolean>,
): () => Promise<void> {
  const find = async () => (await accounts.findCredential(token)) !== null && (await seesSet());
  const check = repeatedCheck(find, { checkedAt, validMs: checkedMs });
  return async () => {
    if (!(await check())) throw notAuthenticated();
  };
}
