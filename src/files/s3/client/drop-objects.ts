import type { ObjectRecords } from '../../../core/shared/files/object-records.ts';
import type { Bucket } from './bucket.ts';
import { labelKey } from './labels.ts';

/** The bucket of the objects, and their database records. */
interface DeletionParts {
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
}

/**
 * Deletes objects that no file name refers to, and their unfinished multipart uploads. An object
 * that cannot be deleted now remains an orphan, which the sweep deletes later. Never throws.
 */
export function dropObjects(from: DeletionParts, keys: readonly string[]): Promise<void> {
  return drop(from, keys, (key) => dropObject(from.bucket, key));
}

/**
 * Deletes an object with its label and its unfinished multipart uploads. The label goes first, so
 * that no label names an object that does not exist.
 */
export async function dropObject(bucket: Bucket, key: string): Promise<void> {
  await bucket.remove(labelKey(key));
  await bucket.abortMultipartUploads(key);
  await bucket.remove(key);
}

/**
 * Deletes the label of an object that is not a file any more. Never throws: a label that remains is
 * deleted together with the object.
 */
export async function dropLabel(bucket: Bucket, key: string): Promise<void> {
  await bucket.remove(labelKey(key)).catch(() => undefined);
}

/**
 * Deletes an incomplete object. A request that timed out here may still create the object later. So
 * the object remains recorded as an orphan, and the sweep deletes it again. Never throws.
 */
export async function dropUnfinished(bucket: Bucket, key: string): Promise<void> {
  try {
    await dropObject(bucket, key);
  } catch {
    // The sweep will delete the object.
  }
}

/**
 * Works like `dropObjects`, but only for objects that were never sent in parts. This saves one
 * request per object.
 */
export function dropPieces(from: DeletionParts, keys: readonly string[]): Promise<void> {
  return drop(from, keys, (key) => from.bucket.remove(key));
}

async function drop(
  { records }: DeletionParts,
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
    // After a failure, the store is probably unavailable, so skip the remaining objects. The sweep
    // will delete the skipped objects.
  }
}
