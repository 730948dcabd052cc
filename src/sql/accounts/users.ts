import type { Selectable } from 'kysely';
import type { User } from '../../core/accounts/account.ts';
import type { Page } from '../../core/accounts/ports.ts';
import type { Database } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

/** The columns of `user` that are read for display: all except the password hash. */
export const userColumns = [
  'user.id',
  'user.username',
  'user.role',
  'user.is_active',
  'user.created_at',
  'user.last_login_at',
] as const;

/** Lists users, sorted by user name. */
export async function listUsers(db: Database, page?: Page): Promise<User[]> {
  let query = db.selectFrom('user').select(userColumns).orderBy('username');
  if (page !== undefined) query = query.limit(page.limit).offset(page.offset);
  return (await query.execute()).map(toUser);
}

export async function findUser(db: Database, id: number): Promise<User | null> {
  const query = db.selectFrom('user').select(userColumns).where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row ? toUser(row) : null;
}

export async function findUserByName(
  db: Database,
  username: string,
): Promise<(User & { passwordHash: string }) | null> {
  const row = await db
    .selectFrom('user')
    .select([...userColumns, 'password_hash'])
    .where('username', '=', username)
    .executeTakeFirst();
  return row ? { ...toUser(row), passwordHash: row.password_hash } : null;
}

export function toUser(row: Omit<Selectable<Tables['user']>, 'password_hash'>): User {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    isActive: row.is_active,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  };
}
