import type { Selectable } from 'kysely';
import type { Credential, Token } from '../../core/accounts/account.ts';
import type { NewToken } from '../../core/accounts/ports.ts';
import type { Actor } from '../../core/shared/actor.ts';
import { recordAudit } from '../audit.ts';
import type { Database } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { toUser, userColumns } from './users.ts';

const tokenColumns = [
  'id',
  'label',
  'kind',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

/** Newest first. */
export async function listTokens(db: Database, userId: number): Promise<Token[]> {
  const rows = await db
    .selectFrom('token')
    .select(tokenColumns)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toToken);
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

/** Returns the token's id; null when the user is gone or inactive. */
export async function insertToken(
  trx: Database,
  token: NewToken,
  actor: Actor,
  login: boolean,
): Promise<number | null> {
  // Looked at again, and locked: the user may have been deactivated since the password was checked.
  const user = await trx
    .selectFrom('user')
    .select('is_active')
    .where('id', '=', token.userId)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (!user?.is_active) return null;
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
  if (login) {
    const values = { last_login_at: token.createdAt };
    await trx.updateTable('user').set(values).where('id', '=', token.userId).execute();
  }
  const action = login ? 'login' : 'token.create';
  const detail = { label: token.label, kind: token.kind, expiresAt: token.expiresAt };
  await recordAudit(trx, token.createdAt, actor, action, `token/${id}`, detail);
  return id;
}

/** Revokes the live tokens of a user, or one of them, or all but one; returns how many. An earlier time of revocation stays. */
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
