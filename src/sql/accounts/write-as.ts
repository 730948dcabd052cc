import { type RawBuilder, sql } from 'kysely';
import { forbidden, notAuthenticated } from '../../core/shared/errors.ts';
import type { Actor, UserActor } from '../../core/shared/requests/actor.ts';
import { type Role, roleReaches } from '../../core/shared/requests/role.ts';
import type { Bulk, Database, Engine } from '../engine/engine.ts';
import type { WriteOptions } from '../engine/write-options.ts';
import { lockAccounts } from './lock-accounts.ts';

declare const checked: unique symbol;

/**
 * An actor whose right to make a write was checked in the transaction of the write. The audit
 * accepts only this type, so no write of a request can skip the check.
 */
export type Author = Actor & { readonly [checked]: true };

/**
 * Checks the right of an actor, and runs `work` in the same transaction. If the right is revoked
 * concurrently, either the write is refused, or the revocation takes effect after the commit. `at`
 * is the timestamp of the write. Throws `not authenticated` if the token or the user is no longer
 * valid. Throws `forbidden` if the user's role is too low now. Also throws the errors of
 * `Engine.write`.
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

/** Like `writeAs`, but for writes that change accounts. Such writes run one at a time. */
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
 * Checks the right of an actor, and returns the actor as an `Author` for writes in this
 * transaction. The rows that contain the right stay locked until the transaction ends. Throws `not
 * authenticated` or `forbidden`, like `writeAs`.
 */
export async function checkRight(trx: Database, actor: Actor, at: string): Promise<Author> {
  await requireRight(trx, actor, { at, lock: trx.dialect.shareRows });
  return actor as Author;
}

/**
 * Checks the right of an actor before long work that ends with a write. The write checks the right
 * again; the early check avoids useless work. Throws `not authenticated` or `forbidden`, like
 * `writeAs`.
 */
export function precheckRight(read: Database, actor: Actor, at: string): Promise<void> {
  return requireRight(read, actor, { at, lock: sql`` });
}

/**
 * Returns the recorded actor of a change as an `Author`, without a check. The change was begun
 * earlier, perhaps by another process. Recovery completes such a change even if the right was
 * revoked since.
 */
export function recoveredAuthor(actor: Actor): Author {
  return actor as Author;
}

/**
 * Parameters for reading a right from the database. `at` is the current timestamp. `lock` is the
 * clause at the end of the SELECT.
 */
interface RightQuery {
  readonly at: string;
  readonly lock: RawBuilder<unknown>;
}

async function requireRight(db: Database, actor: Actor, query: RightQuery): Promise<void> {
  if (actor.kind !== 'user' || actor.right === undefined) return;
  const role = await findRole(db, actor, actor.right.tokenId, query);
  if (role === null) throw notAuthenticated();
  if (!roleReaches(role, actor.right.role)) throw forbidden();
}

/**
 * Returns the role of a user, or null if the user is not active. Also returns null if a token id is
 * passed and the token is not valid.
 */
async function findRole(
  db: Database,
  { userId }: UserActor,
  tokenId: number | null,
  { at, lock }: RightQuery,
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
