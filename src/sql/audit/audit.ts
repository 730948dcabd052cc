import type { AuditAction } from '../../core/audit/actions.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import type { Author } from '../accounts/write-as.ts';
import type { Database } from '../engine/engine.ts';

/**
 * Adds an entry to the audit, in the same transaction as the write that the entry describes.
 * `detail` describes the change and never contains a secret.
 */
export async function recordAudit(
  trx: Database,
  at: string,
  author: Author,
  action: AuditAction,
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

/** Returns the name that listings show for an actor: "system" or the user name. */
export function actorName(actor: Actor): string {
  return actor.kind === 'system' ? 'system' : actor.username;
}

/**
 * Returns an actor as JSON for a database row. The JSON omits `right`, because the right is valid
 * only during the request.
 */
export function actorJson(actor: Actor): string {
  return JSON.stringify({ ...actor, right: undefined });
}
