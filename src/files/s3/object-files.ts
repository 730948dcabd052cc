import { refused } from '../../core/shared/errors.ts';
import type { ObjectRecords, ObjectUploadRecords } from '../../core/shared/files/object-records.ts';
import type { Leases } from '../../core/shared/processes/leases.ts';
import { HashThread } from '../hashes/hash-thread.ts';
import type { StoredFiles } from '../stored-files.ts';
import { manuallyAddedObjects } from './adoptable-objects.ts';
import { Bucket } from './client/bucket.ts';
import { reasonOf } from './client/s3-error.ts';
import { bucketConfigOf, type S3Settings } from './client/s3-settings.ts';
import { labelledObjects } from './labelled-objects.ts';
import { objectArea } from './object-area.ts';
import { ObjectSweeper } from './sweep-objects.ts';
import { objectUploads } from './uploads/object-uploads.ts';

/** The settings and services that files in an object store need. */
export interface ObjectFilesParts {
  readonly settings: S3Settings;
  readonly records: ObjectRecords;
  readonly uploads: ObjectUploadRecords;
  readonly leases: Leases;
  /** Age at which replaced and removed objects are deleted, in milliseconds. */
  readonly keepReplacedMs: number;
  /** Folder for temporary files on the way to or from the store. */
  readonly tmp: string;
  /** Called with the error when a sweep fails. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Returns the storage of files in an object store. Sends no request until the files are used.
 * Throws refused() if the access key or the secret key is missing.
 */
export function objectFiles(parts: ObjectFilesParts): StoredFiles {
  const bucket = new Bucket(bucketConfigOf(parts.settings));
  const hashes = new HashThread();
  const area = (name: string) => objectArea({ ...parts, area: name, bucket, hashes });
  const areas = { games: area('games'), videos: area('videos') };
  let sweeper: ObjectSweeper | null = null;
  return {
    areas,
    covers: area('covers'),
    uploads: objectUploads({ ...parts, bucket }),
    manuallyAdded: manuallyAddedObjects({ ...parts, bucket }),
    labelled: labelledObjects({ ...parts, bucket }),
    probes: [areas.games],
    startSweeping() {
      sweeper ??= new ObjectSweeper({ ...parts, bucket });
    },
    async close() {
      await sweeper?.close();
      await hashes.close();
      await bucket.close();
    },
  };
}

/**
 * Checks that the bucket can be written to. Throws refused() with one line if this fails, or if the
 * access key or the secret key is missing.
 */
export async function checkBucket(settings: S3Settings): Promise<void> {
  const bucket = new Bucket(bucketConfigOf(settings));
  try {
    await bucket.check();
  } catch (error) {
    throw refused(`cannot write into ${bucket.displayName}: ${reasonOf(error)}`, error);
  } finally {
    await bucket.close();
  }
}
