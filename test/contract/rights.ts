import type { RequestActor } from '../../src/core/shared/actor.ts';
import type { Role } from '../../src/core/shared/role.ts';
import type { Database, Engine } from '../../src/sql/engine.ts';
import { stamp } from './use-engine.ts';

/**
 * Adds a user with a valid token. Returns the actor of a request for which the user's role is
 * required.
 */
export function addRightful(engine: Engine, role: Role): Promise<RequestActor> {
  return engine.write(async (trx) => {
    const user = await trx
      .insertInto('user')
      .values({
        username: 'someone',
        password_hash: '',
        role,
        is_active: true,
        created_at: stamp(0),
        last_login_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = await trx
      .insertInto('token')
      .values({
        user_id: user.id,
        hash: 'f'.repeat(64),
        label: 'a',
        kind: 'api',
        created_at: stamp(0),
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const right = { role, tokenId: token.id };
    const who = { userId: user.id, username: 'someone', address: '127.0.0.1' };
    return { kind: 'user', ...who, right };
  });
}

interface Loss {
  readonly loss: string;
  readonly kind: 'forbidden' | 'unauthenticated';
  /** Removes the actor's right in this transaction. */
  take(trx: Database, actor: RequestActor): Promise<unknown>;
}

const setUser =
  (set: { role?: Role; is_active?: boolean }) => (trx: Database, actor: RequestActor) =>
    trx.updateTable('user').set(set).where('id', '=', actor.userId).execute();
const setToken =
  (set: { revoked_at?: string; expires_at?: string }) => (trx: Database, actor: RequestActor) =>
    trx.updateTable('token').set(set).where('id', '=', Number(actor.right.tokenId)).execute();

/**
 * The ways in which an editor or admin loses the right to write. `kind` is the kind of the
 * resulting error.
 */
export const lossesOfRight: readonly Loss[] = [
  { loss: 'was demoted', kind: 'forbidden', take: setUser({ role: 'user' }) },
  { loss: 'was deactivated', kind: 'unauthenticated', take: setUser({ is_active: false }) },
  {
    loss: 'was deleted',
    kind: 'unauthenticated',
    take: (trx, { userId }) => trx.deleteFrom('user').where('id', '=', userId).execute(),
  },
  { loss: 'lost the token', kind: 'unauthenticated', take: setToken({ revoked_at: stamp(1) }) },
  {
    loss: 'has a token that expired',
    kind: 'unauthenticated',
    take: setToken({ expires_at: stamp(1) }),
  },
];
