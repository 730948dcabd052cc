import type { Actor } from '../core/shared/actor.ts';
import type { Database } from './engine.ts';
import type { Author } from './write-as.ts';

/**
 * Records who did what, within the transaction of the write itself. `detail` says what changed and
 * never contains a secret.
 */
export async function recordAudit(
  trx: Database,
  at: string,
  author: Author,
  action: string,
  target: string,
  detail?: Record<string, unknown>,
): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      at,
      actor_kind: author.kind,
      user_id: author.kind === 'user' ? author.userId : null,
      username: author.kind === 'system' ? null : author.username,
      address: author.kind === 'user' ? author.address : null,
      action,
      target,
      detail: detail === undefined ? null : JSON.stringify(detail),
    })
    .execute();
}

/** Returns the actor as one word, for listings. */
export function actorName(actor: Actor): string {
  return actor.kind === 'system' ? 'system' : actor.username;
}

/**
 * Returns an actor as a row stores it: without the right of the request, which ends with the
 * request.
 */
export function actorJson(actor: Actor): string {
  return JSON.stringify({ ...actor, right: undefined });
}
