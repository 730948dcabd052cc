import type { Actor } from '../core/shared/actor.ts';
import type { Database } from './engine.ts';

/**
 * Records who did what, within the transaction of the write itself. `detail` says what changed and never holds a
 * secret.
 */
export async function recordAudit(
  trx: Database,
  at: string,
  actor: Actor,
  action: string,
  target: string,
  detail?: Record<string, unknown>,
): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      at,
      actor_kind: actor.kind,
      user_id: actor.kind === 'user' ? actor.userId : null,
      username: actor.kind === 'system' ? null : actor.username,
      address: actor.kind === 'user' ? actor.address : null,
      action,
      target,
      detail: detail === undefined ? null : JSON.stringify(detail),
    })
    .execute();
}

/** The actor in one word, for listings. */
export function actorName(actor: Actor): string {
  return actor.kind === 'system' ? 'system' : actor.username;
}
