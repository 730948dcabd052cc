import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Config, placesOfCopy } from '../config.ts';
import type { CopyPlace } from '../core/backups/copies/copies.ts';
import type { FilesPlace } from '../core/backups/copies/ports.ts';
import { CopyFolder } from '../files/copies/copy-folder.ts';
import { filesInFolder } from '../files/copies/files-in-folder.ts';
import { handOnHost } from '../files/host.ts';

/** Where `catalog copy` puts what it copies; nothing of it is taken for a catalogue before its end. */
export async function openCopyPlace(
  config: Config,
  tmp: string,
): Promise<CopyPlace & { abandon(): Promise<void> }> {
  const { database, filesTo } = placesOfCopy(config);
  const folder =
    'folder' in database ? database.folder : filesTo?.startsWith('s3://') ? null : filesTo;
  const takesFiles = folder !== null && filesTo === folder;
  const use = { takesDatabase: 'folder' in database, takesFiles, isOwn: folder === config.data };
  const made = folder === null ? null : await CopyFolder.begin(folder, use);
  const end = async () => {
    if (folder !== null && folder !== config.data) await handOnHost(config.data, folder);
    await made?.end();
  };
  const isFile = made !== null && use.takesDatabase;
  return {
    database: isFile ? { file: made.database, name: folder ?? '' } : { address: config.copyTo },
    files: filesTo === null ? null : await openFilesPlace(config, filesTo, tmp),
    beforeEnd: isFile ? async () => {} : end,
    end: isFile ? end : async () => {},
    abandon: async () => made?.abandon(),
  };
}

/** Where a copy of the files goes: a folder, or `s3://bucket/prefix`. */
export async function openFilesPlace(
  config: Config,
  filesTo: string,
  tmp: string,
): Promise<FilesPlace> {
  if (!filesTo.startsWith('s3://')) return filesInFolder(filesTo);
  const { filesInBucket } = await import('../files/s3/files-in-bucket.ts');
  const places = createHash('sha256').update(`${config.copyTo}\n${filesTo}`).digest('hex');
  return filesInBucket({
    settings: { ...config, files: filesTo },
    // By this name a folder knows that files of a restore into it are in a bucket.
    record: join(config.data, `copied-files-${places.slice(0, 16)}.jsonl`),
    tmp,
  });
}
