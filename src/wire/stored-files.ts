import type { Config } from '../config.ts';
import { refused } from '../core/shared/errors.ts';
import type { Leases } from '../core/shared/leases.ts';
import { localFiles, type StoredFiles } from '../files/stored-files.ts';
import type { Engine } from '../sql/engine.ts';
import { SqlObjectUploadRecords } from '../sql/object-uploads.ts';
import { SqlObjectRecords } from '../sql/objects.ts';

/**
 * In the data folder, or in an object store. Throws refused() when the files that the database knows lie in the other one, so
 * that nobody serves a store that only seems to be empty.
 */
export async function openFiles(
  config: Config,
  parts: {
    engine: Engine;
    leases: Leases;
    tmp: string;
    /** Told of orphans that could not be removed. */
    onFailure: (error: unknown) => void;
  },
): Promise<StoredFiles> {
  const { engine, leases, tmp, onFailure } = parts;
  const records = new SqlObjectRecords({ engine });
  const known = await records.placeOfFiles();
  if (config.files === '') {
    if (known !== 'objects') return localFiles(config.data);
    throw refused('the files of this catalogue lie in an object store: name it with --files');
  }
  if (known === 'folder') {
    throw refused(
      `the files of this catalogue lie in ${config.data}: start without --files, or move them with catalog copy`,
    );
  }
  const { objectFiles } = await import('../files/s3/object-files.ts');
  return objectFiles({
    settings: config,
    records,
    uploads: new SqlObjectUploadRecords({ engine }),
    leases,
    tmp,
    onFailure,
  });
}
