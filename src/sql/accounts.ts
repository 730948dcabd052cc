import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Credential, Token, User } from '../core/accounts/account.ts';
import type { AccountRecords, NewToken, UserChange } from '../core/accounts/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { lastActiveAdmin, usernameTaken } from '../core/shared/errors.ts';
import { recordAudit } from './audit.ts';
import type { NotedWrites } from './noted-writes.ts';
import { isUniqueViolation } from './sqlite/errors.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

const userColumns = ['id', 'username', 'role', 'is_active', 'created_at', 'last_login_at'] as const;
const tokenColumns = [
  'id',
  'label',
  'kind',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

type NewUser = Parameters<AccountRecords['createUser']>[0];

/** Users and tokens in SQL. */
export class SqlAccountRecords implements AccountRecords {
  readonly #sql: Sql<Tables>;
  readonly #notes: NotedWrites;
  readonly #clock: Clock;

  constructor(parts: { sql: Sql<Tables>; notes: NotedWrites; clock: Clock }) {
    this.#sql = parts.sql;
    this.#notes = parts.notes;
    this.#clock = parts.clock;
  }

  async listUsers(): Promise<User[]> {
    const query = this.#sql.read.selectFrom('user').select(userColumns).orderBy('username');
    return (await query.execute()).map(toUser);
  }

  async findUser(id: number): Promise<User | null> {
    const row = await selectUser(this.#sql.read, id);
    return row ? toUser(row) : null;
  }

  async findUserByName(username: string): Promise<(User & { passwordHash: string }) | null> {
    const row = await this.#sql.read
      .selectFrom('user')
      .select([...userColumns, 'password_hash'])
      .where('username', '=', username)
      .executeTakeFirst();
    return row ? { ...toUser(row), passwordHash: row.password_hash } : null;
  }

  createUser(user: NewUser, actor: Actor): Promise<User> {
    const at = this.#clock.timestamp();
    return this.#creating((trx) => insertUser(trx, user, at, actor));
  }

  createFirstAdmin(user: Omit<NewUser, 'role'>, actor: Actor): Promise<User | null> {
    const at = this.#clock.timestamp();
    return this.#creating(async (trx) => {
      if (await hasActiveAdmin(trx)) return null;
      return insertUser(trx, { ...user, role: 'admin' }, at, actor);
    });
  }

  updateUser(id: number, change: UserChange, actor: Actor): Promise<User | null> {
    const at = this.#clock.timestamp();
    return this.#sql.write(async (trx) => {
      const values = {
        ...(change.role !== undefined && { role: change.role }),
        ...(change.isActive !== undefined && { is_active: change.isActive ? 1 : 0 }),
        ...(change.passwordHash !== undefined && { password_hash: change.passwordHash }),
      };
      const wasActiveAdmin = await isActiveAdmin(trx, id);
      if (Object.keys(values).length > 0) {
        await trx.updateTable('user').set(values).where('id', '=', id).execute();
      }
      if (wasActiveAdmin) await mustHaveActiveAdmin(trx);
      if (change.revokeTokens) await revokeTokens(trx, at, { user_id: id });
      const row = await selectUser(trx, id);
      if (!row) return null;
      const { passwordHash, ...rest } = change;
      const detail = { ...rest, ...(passwordHash !== undefined && { password: 'changed' }) };
      await recordAudit(trx, at, actor, 'user.update', `user/${id}`, detail);
      return toUser(row);
    });
  }

  deleteUser(id: number, actor: Actor): Promise<boolean> {
    return this.#sql.write(async (trx) => {
      const wasActiveAdmin = await isActiveAdmin(trx, id);
      const row = await trx
        .deleteFrom('user')
        .where('id', '=', id)
        .returning('username')
        .executeTakeFirst();
      if (!row) return false;
      if (wasActiveAdmin) await mustHaveActiveAdmin(trx);
      const at = this.#clock.timestamp();
      await recordAudit(trx, at, actor, 'user.delete', `user/${id}`, { username: row.username });
      return true;
    });
  }

  async hasActiveAdmin(): Promise<boolean> {
    return hasActiveAdmin(this.#sql.read);
  }

  async listTokens(userId: number): Promise<Token[]> {
    await this.#notes.settle(1_000);
    const rows = await this.#sql.read
      .selectFrom('token')
      .select(tokenColumns)
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toToken);
  }

  createToken(token: NewToken, actor: Actor, login: boolean): Promise<number | null> {
    return this.#sql.write(async (trx) => {
      // The user may have been deactivated since the password was checked.
      const user = await selectUser(trx, token.userId);
      if (!user?.is_active) return null;
      const row = await trx
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
      await recordAudit(trx, token.createdAt, actor, action, `token/${row.id}`, detail);
      return row.id;
    });
  }

  async findCredential(hash: string): Promise<Credential | null> {
    const row = await this.#sql.read
      .selectFrom('token')
      .innerJoin('user', 'user.id', 'token.user_id')
      .select([
        'token.id as token_id',
        'token.label',
        'token.kind',
        'token.created_at as token_created_at',
        'token.last_used_at',
        'token.expires_at',
        'token.revoked_at',
        'user.id',
        'user.username',
        'user.role',
        'user.is_active',
        'user.created_at',
        'user.last_login_at',
      ])
      .where('token.hash', '=', hash)
      .executeTakeFirst();
    if (!row) return null;
    const token = toToken({ ...row, id: row.token_id, created_at: row.token_created_at });
    return { user: toUser(row), token };
  }

  revokeToken(userId: number, tokenId: number, actor: Actor): Promise<void> {
    return this.#sql.write(async (trx) => {
      const at = this.#clock.timestamp();
      const revoked = await revokeTokens(trx, at, { user_id: userId, id: tokenId });
      if (revoked > 0) await recordAudit(trx, at, actor, 'token.revoke', `token/${tokenId}`);
    });
  }

  noteTokenUse(tokenId: number, at: string): void {
    this.#notes.add(async (trx) => {
      await trx.updateTable('token').set({ last_used_at: at }).where('id', '=', tokenId).execute();
    });
  }

  async #creating<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> {
    try {
      return await this.#sql.write(work);
    } catch (error) {
      throw isUniqueViolation(error) ? usernameTaken() : error;
    }
  }
}

async function insertUser(
  trx: Kysely<Tables>,
  { username, passwordHash, role }: NewUser,
  at: string,
  actor: Actor,
): Promise<User> {
  const row = await trx
    .insertInto('user')
    .values({
      username,
      password_hash: passwordHash,
      role,
      is_active: 1,
      created_at: at,
      last_login_at: null,
    })
    .returning(userColumns)
    .executeTakeFirstOrThrow();
  await recordAudit(trx, at, actor, 'user.create', `user/${row.id}`, { username, role });
  return toUser(row);
}

function selectUser(db: Kysely<Tables>, id: number) {
  return db.selectFrom('user').select(userColumns).where('id', '=', id).executeTakeFirst();
}

async function isActiveAdmin(trx: Kysely<Tables>, id: number): Promise<boolean> {
  const user = await selectUser(trx, id);
  return user?.role === 'admin' && user.is_active === 1;
}

async function hasActiveAdmin(db: Kysely<Tables>): Promise<boolean> {
  const row = await db
    .selectFrom('user')
    .select(sql`1`.as('one'))
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throwing rolls the caller's transaction back. */
async function mustHaveActiveAdmin(trx: Kysely<Tables>): Promise<void> {
  if (!(await hasActiveAdmin(trx))) throw lastActiveAdmin();
}

async function revokeTokens(
  trx: Kysely<Tables>,
  at: string,
  which: { user_id: number; id?: number },
): Promise<number> {
  const { id } = which;
  let query = trx
    .updateTable('token')
    .set({ revoked_at: at })
    .where('user_id', '=', which.user_id)
    .where('revoked_at', 'is', null);
  if (id !== undefined) query = query.where('id', '=', id);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

function toUser(row: Pick<Selectable<Tables['user']>, (typeof userColumns)[number]>): User {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  };
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
