import { refused } from '../../core/shared/errors.ts';
import type { Leases } from '../../core/shared/leases.ts';
import type { ObjectRecords, ObjectUploadRecords } from '../../core/shared/object-records.ts';
import type { StoredFiles } from '../stored-files.ts';
import { Bucket } from './bucket.ts';
import { laidObjects } from './laid-objects.ts';
import { objectArea } from './object-area.ts';
import { objectUploads } from './object-uploads.ts';
import { reasonOf } from './s3-error.ts';
import { bucketAddress, type S3Settings } from './s3-settings.ts';
import { ObjectSweeper } from './sweep-objects.ts';

/** What files in an object store work with. */
export interface ObjectFilesParts {
  readonly settings: S3Settings;
  readonly records: ObjectRecords;
  readonly uploads: ObjectUploadRecords;
  readonly leases: Leases;
  /** Where bytes lie on their way. */
  readonly tmp: string;
  /** Told what a sweep could not do. */
  readonly onFailure: (error: unknown) => void;
}

/** Files in an object store; nobody is asked before they are used. Throws refused() without keys for it. */
export function objectFiles(parts: ObjectFilesParts): StoredFiles {
  const bucket = new Bucket(bucketAddress(parts.settings));
  const area = (name: string) => objectArea({ ...parts, area: name, bucket });
  const areas = { games: area('games'), videos: area('videos') };
  let sweeper: ObjectSweeper | null = null;
  return {
    areas,
    covers: area('covers'),
    uploads: objectUploads({ ...parts, bucket }),
    laid: laidObjects({ ...parts, bucket }),
    probes: [areas.games],
    startSweeping() {
      sweeper ??= new ObjectSweeper({ ...parts, bucket });
    },
    async close() {
      await sweeper?.close();
      await bucket.close();
    },
  };
}

/** Throws refused() with a line when nothing can be written into the bucket, or a key is missing. */
export async function checkBucket(settings: S3Settings): Promise<void> {
  const bucket = new Bucket(bucketAddress(settings));
  try {
    await bucket.check();
  } catch (error) {
    throw refused(`cannot write into ${bucket.where}: ${reasonOf(error)}`, error);
  } finally {
    await bucket.close();
  }
}
