import { CatalogError, type ErrorKind, refused } from '../core/shared/errors.ts';
import type { Leases } from '../core/shared/processes/leases.ts';
import type { S3Settings } from '../files/s3/client/s3-settings.ts';
import { localFiles, type StoredFiles } from '../files/stored-files.ts';
import type { Config } from '../settings/config.ts';
import type { Engine } from '../sql/engine/engine.ts';
import { SqlObjectRecords } from '../sql/store/object-records.ts';
import { SqlObjectUploadRecords } from '../sql/uploads/object-uploads.ts';

/**
 * Checks the configured bucket for files. Throws refused() with one line if the bucket is not
 * writable. Does nothing if no bucket is configured.
 */
export async function checkFilesBucket(config: S3Settings): Promise<void> {
  if (!config.files.startsWith('s3://')) return; // the data folder is checked when it is opened
  const { checkBucket } = await import('../files/s3/object-files.ts');
  await checkBucket(config);
}

/**
 * Checks the configured bucket like `checkFilesBucket`, but returns the reason if the bucket is
 * unreachable or full. In these cases, the bucket may become writable without a change of the
 * settings. Returns null if the bucket is writable.
 */
export async function findFilesOutage(config: S3Settings): Promise<string | null> {
  try {
    await checkFilesBucket(config);
    return null;
  } catch (error) {
    const { message, cause } = error as Error;
    const isOutage = cause instanceof CatalogError && outages.includes(cause.kind);
    if (isOutage) return message;
    throw error;
  }
}

const outages: readonly ErrorKind[] = ['busy', 'storage-full'];

/**
 * Opens the file storage: the data folder or an object store. Throws refused() if the catalogue's
 * files are in the other storage. Otherwise the opened storage would seem to be empty.
 */
export async function openFiles(
  config: Config,
  parts: {
    engine: Engine;
    leases: Leases;
    tmp: string;
    /** Called with the error if removing orphans in the object store failed. */
    onFailure: (error: unknown) => void;
  },
): Promise<StoredFiles> {
  const { engine, leases, tmp, onFailure } = parts;
  const records = new SqlObjectRecords({ engine });
  const known = await records.placeOfFiles();
  if (config.files === '') {
    if (known !== 'objects') return localFiles(config.data);
    throw refused('the files of this catalogue are in an object store: set it with --files');
  }
  if (known === 'folder') {
    throw refused(
      `the files of this catalogue are in ${config.data}: start without --files, or move them with "catalog copy"`,
    );
  }
  const { objectFiles } = await import('../files/s3/object-files.ts');
  return objectFiles({
    settings: config,
    records,
    uploads: new SqlObjectUploadRecords({ engine }),
    leases,
    keepReplacedMs: config.keepReplaced,
    tmp,
    onFailure,
  });
}
