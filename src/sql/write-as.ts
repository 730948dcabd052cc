import { type RawBuilder, sql } from 'kysely';
import type { Actor, UserActor } from '../core/shared/actor.ts';
import { forbidden, notAuthenticated } from '../core/shared/errors.ts';
import { type Role, roleReaches } from '../core/shared/role.ts';
import { lockAccounts } from './accounts/lock-accounts.ts';
import type { Bulk, Database, Engine, WriteOptions } from './engine.ts';

declare const checked: unique symbol;

/**
 * An actor whose right to make the write of the current transaction was checked. The audit accepts
 * no other actor, so no write of a request can skip the check.
 */
export type Author = Actor & { readonly [checked]: true };

/**
 * Runs one transaction for an actor, after checking the actor's right in it. A right that is
 * revoked concurrently is gone either before the check, and the write is refused, or after the
 * commit. `at` is the time of the write, a timestamp. Throws `not authenticated` when the token or
 * the user is no longer valid. Throws `forbidden` when the role has become too low, and the errors
 * of `Engine.write`.
 */
export function writeAs<R>(
  engine: Engine,
  { actor, at }: { actor: Actor; at: string },
  work: (trx: Database, author: Author, bulk: Bulk) => Promise<R>,
  options?: WriteOptions,
): Promise<R> {
  return engine.write(
    async (trx, bulk) => work(trx, await checkRight(trx, actor, at), bulk),
    options,
  );
}

/** Like `writeAs`, for a write that changes accounts: those run one at a time. */
export function writeAccountsAs<R>(
  engine: Engine,
  { actor, at }: { actor: Actor; at: string },
  work: (trx: Database, author: Author) => Promise<R>,
): Promise<R> {
  return engine.write(async (trx) => {
    await lockAccounts(trx);
    return work(trx, await checkRight(trx, actor, at));
  });
}

/**
 * Returns the actor as the author of a write of this transaction. The rows that give the right stay
 * unchanged until the transaction ends. Throws as `writeAs` does.
 */
export async function checkRight(trx: Database, actor: Actor, at: string): Promise<Author> {
  await expectRight(trx, actor, { at, lock: trx.dialect.shareRows });
  return actor as Author;
}

/** Checks the actor's current right before work that a write follows. Throws as `writeAs` does. */
export function lookAtRight(read: Database, actor: Actor, at: string): Promise<void> {
  return expectRight(read, actor, { at, lock: sql`` });
}

/**
 * Returns the author of a change that an earlier process began. Recovery completes it, even if the
 * right was revoked since.
 */
export function recoveredAuthor(actor: Actor): Author {
  return actor as Author;
}

/** How a right is looked up: at this timestamp, and with this clause at the end of the SELECT. */
interface Look {
  readonly at: string;
  readonly lock: RawBuilder<unknown>;
}

async function expectRight(db: Database, actor: Actor, look: Look): Promise<void> {
  if (actor.kind !== 'user' || actor.right === undefined) return;
  const role = await findRole(db, actor, actor.right.tokenId, look);
  if (role === null) throw notAuthenticated();
  if (!roleReaches(role, actor.right.role)) throw forbidden();
}

/** Returns the role of an active user, or null. If a token id is given, the token must be valid. */
async function findRole(
  db: Database,
  { userId }: UserActor,
  tokenId: number | null,
  { at, lock }: Look,
): Promise<Role | null> {
  const user = db
    .selectFrom('user')
    .select('user.role')
    .where('user.id', '=', userId)
    .where('user.is_active', '=', true);
  const row =
    tokenId === null
      ? await user.modifyEnd(lock).executeTakeFirst()
      : await user
          .innerJoin('token', 'token.user_id', 'user.id')
          .where('token.id', '=', tokenId)
          .where('token.revoked_at', 'is', null)
          .where((is) =>
            is.or([is('token.expires_at', 'is', null), is('token.expires_at', '>', at)]),
          )
          .modifyEnd(lock)
          .executeTakeFirst();
  return row?.role ?? null;
}
