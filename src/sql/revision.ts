import { randomInt } from 'node:crypto';

/**
 * Returns the new `release.revision` for every release a transaction visibly changes. Random,
 * because a counter restored from a backup could repeat a value for different content.
 */
export function newRevision(): number {
  return randomInt(1, 2 ** 48 - 1);
}
