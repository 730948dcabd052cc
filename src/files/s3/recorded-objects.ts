import { backupParts } from '../../core/backups/backup-parts.ts';
import { refused } from '../../core/shared/errors.ts';
import { Bucket } from './client/bucket.ts';
import { reasonOf } from './client/s3-error.ts';
import { bucketConfigOf, type S3Settings } from './client/s3-settings.ts';

/** The objects that a restored database records. Some of them may be missing in the bucket. */
export interface RecordedKeys {
  /** Sizes of the files' objects in bytes, by key. */
  readonly files: ReadonlyMap<string, number>;
  /** Keys of all other recorded objects, such as orphans. */
  readonly others: ReadonlySet<string>;
}

export interface FoundObjects {
  /** Keys of the files' objects that are in the bucket with the recorded size. */
  readonly present: ReadonlySet<string>;
  /** Number of objects in the areas of the bucket that the database does not record. */
  readonly unknown: number;
}

/**
 * Looks for recorded objects in a bucket, which is not changed. Throws refused() if the bucket
 * cannot be listed, and the signal's reason when aborted.
 */
export async function findRecordedObjects(
  settings: S3Settings,
  { files, others }: RecordedKeys,
  signal: AbortSignal,
): Promise<FoundObjects> {
  const bucket = new Bucket(bucketConfigOf(settings));
  const present = new Set<string>();
  let unknown = 0;
  try {
    for (const part of backupParts) {
      for await (const { key, size } of bucket.list(`${part}/`)) {
        signal.throwIfAborted();
        if (files.get(key) === size) present.add(key);
        else if (!files.has(key) && !others.has(key)) unknown += 1;
      }
    }
    // A listing may lag behind, so look for each remaining object. If the listing has none of the
    // objects, this is another bucket, so skip the requests.
    for (const [key, size] of present.size === 0 ? [] : files) {
      signal.throwIfAborted();
      if (!present.has(key) && (await bucket.factsOf(key))?.size === size) present.add(key);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw refused(`cannot look into ${bucket.displayName}: ${reasonOf(error)}`, error);
  } finally {
    await bucket.close();
  }
  return { present, unknown };
}
