import type { ObjectRecords } from '../../core/shared/object-records.ts';
import type { Bucket } from './bucket.ts';

/** Where objects lie, and what the database knows of them. */
interface DroppedFrom {
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
}

/** Deletes objects that have no name, and what was begun in parts; what is not deleted now is an orphan, and swept. Never throws. */
export function dropObjects(from: DroppedFrom, keys: readonly string[]): Promise<void> {
  return drop(from, keys, async (key) => {
    await from.bucket.abortParts(key);
    await from.bucket.remove(key);
  });
}

/**
 * Deletes an object that was not made whole. It stays an orphan, which the sweep deletes once more: what we gave up waiting for
 * may still be carried out by the store. Never throws.
 */
export async function dropUnfinished(bucket: Bucket, key: string): Promise<void> {
  try {
    await bucket.abortParts(key);
    await bucket.remove(key);
  } catch {
    // The sweep does it.
  }
}

/** As `dropObjects`, of objects that were never sent in parts, for a request less each. */
export function dropPieces(from: DroppedFrom, keys: readonly string[]): Promise<void> {
  return drop(from, keys, (key) => from.bucket.remove(key));
}

async function drop(
  { records }: DroppedFrom,
  keys: readonly string[],
  remove: (key: string) => Promise<void>,
): Promise<void> {
  try {
    for (const key of keys) {
      if (!(await records.claim(key))) continue;
      await remove(key);
      await records.forget(key);
    }
  } catch {
    // The store is away, most often: the sweep does it, and those that follow are not waited for.
  }
}
