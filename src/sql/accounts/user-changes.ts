import type { User } from '../../core/accounts/account.ts';
import type { AccountRecords, UserChange } from '../../core/accounts/ports.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Database } from '../engine/engine.ts';
import { removePrivateSets } from '../sets/private-sets.ts';
import { withRemainingAdmin } from './active-admins.ts';
import { revokeTokens } from './tokens.ts';
import { findUser, toUser, userColumns } from './users.ts';
import type { Author } from './write-as.ts';

export type NewUser = Parameters<AccountRecords['createUser']>[0];

/**
 * Inserts a user and returns the new user. Throws `UniqueViolation` if the name is already used.
 */
export async function insertUser(
  trx: Database,
  { username, passwordHash, role }: NewUser,
  at: string,
  author: Author,
): Promise<User> {
  const row = await trx
    .insertInto('user')
    .values({
      username,
      password_hash: passwordHash,
      role,
      is_active: true,
      created_at: at,
      last_login_at: null,
    })
    .returning(userColumns)
    .executeTakeFirstOrThrow();
  await recordAudit(trx, at, author, 'user.create', `user/${row.id}`, { username, role });
  return toUser(row);
}

/**
 * Changes a user and returns the changed user. Returns null if the user does not exist, or if the
 * user's password hash is not `formerHash`. Throws `last active admin` if no active admin would
 * remain.
 */
export async function changeUser(
  trx: Database,
  id: number,
  change: UserChange,
  at: string,
  author: Author,
): Promise<User | null> {
  const update = () => updateUser(trx, id, change);
  const isChanged = await (mayRemoveAdmin(change) ? withRemainingAdmin(trx, id, update) : update());
  if (!isChanged) return null;
  if (change.revokeTokens) {
    await revokeTokens(trx, at, { user_id: id, except: change.keepToken });
    // The secret URL of a device gives access to the same games as a token.
    await trx.deleteFrom('device').where('owner_id', '=', id).execute();
  }
  const user = await findUser(trx, id);
  if (!user) return null;
  const { passwordHash, formerHash: _, ...rest } = change;
  const detail = { ...rest, ...(passwordHash !== undefined && { password: 'changed' }) };
  await recordAudit(trx, at, author, 'user.update', `user/${id}`, detail);
  return user;
}

function mayRemoveAdmin({ role, isActive }: UserChange): boolean {
  return (role !== undefined && role !== 'admin') || isActive === false;
}

/**
 * Updates the row of a user. Returns false if the user does not exist, or if the user's password
 * hash is not `formerHash`. Locks the row until the transaction ends, so that no token is created
 * meanwhile.
 */
async function updateUser(trx: Database, id: number, change: UserChange): Promise<boolean> {
  const values = {
    ...(change.role !== undefined && { role: change.role }),
    ...(change.isActive !== undefined && { is_active: change.isActive }),
    ...(change.passwordHash !== undefined && { password_hash: change.passwordHash }),
  };
  if (Object.keys(values).length === 0) {
    const locked = trx.selectFrom('user').select('id').where('id', '=', id);
    return (await locked.modifyEnd(trx.dialect.lockRows).executeTakeFirst()) !== undefined;
  }
  let query = trx.updateTable('user').set(values).where('id', '=', id);
  if (change.formerHash !== undefined) {
    query = query.where('password_hash', '=', change.formerHash);
  }
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/**
 * Removes a user and the user's private sets. Returns false if the user does not exist. Throws
 * `last active admin` if no active admin would remain.
 */
export async function removeUser(
  trx: Database,
  id: number,
  at: string,
  author: Author,
): Promise<boolean> {
  const removed = await withRemainingAdmin(trx, id, async () => {
    await removePrivateSets(trx, id);
    return trx.deleteFrom('user').where('id', '=', id).returning('username').executeTakeFirst();
  });
  if (!removed) return false;
  await recordAudit(trx, at, author, 'user.delete', `user/${id}`, { username: removed.username });
  return true;
}
