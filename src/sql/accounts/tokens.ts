import type { Selectable } from 'kysely';
import {
  type Credential,
  loginLabels,
  maxLiveTokens,
  type Token,
} from '../../core/accounts/account.ts';
import type { CheckedLogin, NewToken, Page } from '../../core/accounts/ports.ts';
import { tooManyTokens } from '../../core/shared/errors.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { recordFamiliar } from './familiar-networks.ts';
import { clearTry } from './login-tries.ts';
import { toUser, userColumns } from './users.ts';
import type { Author } from './write-as.ts';

const tokenColumns = [
  'id',
  'label',
  'kind',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

/** Lists the tokens of a user, newest first. */
export async function listTokens(db: Database, userId: number, page?: Page): Promise<Token[]> {
  let query = db
    .selectFrom('token')
    .select(tokenColumns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc');
  if (page !== undefined) query = query.limit(page.limit).offset(page.offset);
  return (await query.execute()).map(toToken);
}

export async function findCredential(db: Database, hash: string): Promise<Credential | null> {
  const row = await db
    .selectFrom('token')
    .innerJoin('user', 'user.id', 'token.user_id')
    .select(userColumns)
    .select([
      'token.id as token_id',
      'token.label',
      'token.kind',
      'token.created_at as token_created_at',
      'token.last_used_at',
      'token.expires_at',
      'token.revoked_at',
    ])
    .where('token.hash', '=', hash)
    .executeTakeFirst();
  if (!row) return null;
  const token = toToken({ ...row, id: row.token_id, created_at: row.token_created_at });
  return { user: toUser(row), token };
}

/**
 * Inserts a token and returns its id. Returns null if the user was removed or deactivated, or if
 * the password changed after the login checked it. Throws `too many tokens` if `login` is null and
 * the user has reached the limit.
 */
export async function insertToken(
  trx: Database,
  token: NewToken,
  author: Author,
  login: CheckedLogin | null,
): Promise<number | null> {
  // Reads the user again and locks the row. After the check, the user may have been deactivated, or
  // the password may have been changed.
  const user = await trx
    .selectFrom('user')
    .select(['is_active', 'password_hash'])
    .where('id', '=', token.userId)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (!user?.is_active) return null;
  if (login !== null && login.passwordHash !== user.password_hash) return null;
  await enforceTokenLimit(trx, token, author, login !== null);
  const { id } = await trx
    .insertInto('token')
    .values({
      user_id: token.userId,
      hash: token.hash,
      label: token.label,
      kind: token.kind,
      created_at: token.createdAt,
      last_used_at: null,
      expires_at: token.expiresAt,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (login !== null) {
    const cleared = await clearTry(trx, login.tryId);
    if (cleared !== null) await recordFamiliar(trx, cleared);
    const values = { last_login_at: token.createdAt };
    await trx.updateTable('user').set(values).where('id', '=', token.userId).execute();
  }
  const action = login !== null ? 'login' : 'token.create';
  const detail = { label: token.label, kind: token.kind, expiresAt: token.expiresAt };
  await recordAudit(trx, token.createdAt, author, action, `token/${id}`, detail);
  return id;
}

/**
 * Enforces the limit of live tokens per user. At the limit, a login revokes the least recently used
 * token of an earlier login. If the new token is not from a login, throws `too many tokens`.
 */
async function enforceTokenLimit(
  trx: Database,
  { userId, createdAt }: NewToken,
  author: Author,
  login: boolean,
): Promise<void> {
  const live = trx
    .selectFrom('token')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', createdAt)]));
  const { count } = await live
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < maxLiveTokens) return;
  if (!login) throw tooManyTokens();
  const oldest = await live
    .select('id')
    .where('label', 'in', Object.values(loginLabels))
    .orderBy((is) => is.fn.coalesce('last_used_at', 'created_at'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await revokeTokens(trx, createdAt, { user_id: userId, id: oldest.id });
  await recordAudit(trx, createdAt, author, 'token.revoke', `token/${oldest.id}`);
}

/**
 * Revokes all tokens of a user, or only the token `id`, or all except the token `except`. Returns
 * the number of revoked tokens. Tokens that were revoked earlier keep their revocation time.
 */
export async function revokeTokens(
  trx: Database,
  at: string,
  { user_id, id, except }: { user_id: number; id?: number; except?: number | undefined },
): Promise<number> {
  let query = trx
    .updateTable('token')
    .set({ revoked_at: at })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null);
  if (id !== undefined) query = query.where('id', '=', id);
  if (except !== undefined) query = query.where('id', '<>', except);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

function toToken(row: Pick<Selectable<Tables['token']>, (typeof tokenColumns)[number]>): Token {
  return {
    id: row.id,
    label: row.label,
    kind: row.kind,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}
