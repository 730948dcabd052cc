import { randomInt } from 'node:crypto';

/**
 * Returns a new value for `release.revision`. A transaction sets the value for all releases that it
 * visibly changes. The value is random, because a counter restored from a backup could repeat a
 * value for different content.
 */
export function newRevision(): number {
  return randomInt(1, 2 ** 48 - 1);
}
