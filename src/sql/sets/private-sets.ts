import type { Database } from '../engine/engine.ts';

/**
 * Deletes the private sets of a user who is being removed. The shared sets stay, without an owner.
 */
export async function removePrivateSets(trx: Database, userId: number): Promise<void> {
  await trx
    .deleteFrom('release_set')
    .where('owner_id', '=', userId)
    .where('shared', '=', false)
    .execute();
}
