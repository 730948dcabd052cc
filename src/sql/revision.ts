import { randomInt } from 'node:crypto';

/**
 * What a transaction gives as `release.revision` to every release of which it changes anything that is shown. Random,
 * because a count would come to the same number again for another content after a backup was restored.
 */
export function newRevision(): number {
  return randomInt(1, 2 ** 48 - 1);
}
