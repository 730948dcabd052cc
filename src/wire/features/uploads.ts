import { Uploads } from '../../core/uploads/uploads.ts';
import { HashThread } from '../../files/hashes/hash-thread.ts';
import { SqlUploadRecords } from '../../sql/uploads/upload-records.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';
import { close } from '../resource-stack.ts';
import type { Storage } from '../storage.ts';

/** Opens the uploads and the thread that hashes them. Complete archives are added to the store. */
export function openUploads(
  { config, log, engine, clock, leases, ownership, parts }: BaseServices,
  { files }: Storage,
  { store }: Pick<Catalog, 'store'>,
): Pick<Catalog, 'uploads'> {
  const hashes = parts.track(new HashThread(), close);
  const uploads = new Uploads({
    ...ownership,
    leases,
    hashes,
    records: new SqlUploadRecords({ engine, clock }),
    files: files.uploads,
    archives: store,
    maxArchiveBytes: config.maxArchiveBytes,
    days: config.uploadDays,
    onFailure: (error) => log.warn({ err: error }, 'could not check or remove an upload'),
  });
  return { uploads: parts.track(uploads, close) };
}
