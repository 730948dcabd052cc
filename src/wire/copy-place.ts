import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { CopyPlace } from '../core/backups/copies/copies.ts';
import type { FilesPlace } from '../core/backups/copies/ports.ts';
import { CopyFolder } from '../files/copies/copy-folder.ts';
import { filesInFolder } from '../files/copies/files-in-folder.ts';
import { PlaceMark } from '../files/copies/place-mark.ts';
import { handOnHost } from '../files/host.ts';
import { type Config, placesOfCopy } from '../settings/config.ts';
import { holdPostgresTarget } from '../sql/engine/open.ts';
import { close, type OpenedParts, openTogether } from './opened.ts';
import { checkFiles } from './stored-files.ts';

/** An opened copy target. Until it is closed, no other process can copy to it. */
type OpenCopyPlace = CopyPlace & { abandon(): Promise<void>; close(): Promise<void> };

/**
 * Opens the configured target of `catalog copy`. The target is not recognized as a catalogue until
 * the copy is complete. Throws refused() if the database cannot be filled or the bucket cannot be
 * used. Nothing is created or sent before these checks.
 */
export async function openCopyPlace(config: Config, tmp: string): Promise<OpenCopyPlace> {
  const { database, filesTo } = placesOfCopy(config);
  return openTogether(async (parts) => {
    const held =
      'address' in database
        ? parts.opened(await holdPostgresTarget(database.address), (it) => it.release())
        : null;
    const of = held?.name ?? config.copyTo;
    return openPlace(config, { database, filesTo, of }, { tmp, parts });
  });
}

async function openPlace(
  config: Config,
  { database, filesTo, of }: ReturnType<typeof placesOfCopy> & { of: string },
  { tmp, parts }: { tmp: string; parts: OpenedParts },
): Promise<Omit<OpenCopyPlace, 'close'>> {
  if (filesTo !== null) {
    await checkFiles(config);
    await checkFiles({ ...config, files: filesTo });
  }
  const folder =
    'folder' in database ? database.folder : filesTo?.startsWith('s3://') ? null : filesTo;
  const takesFiles = folder !== null && filesTo === folder;
  const use = { takesDatabase: 'folder' in database, takesFiles, isOwn: folder === config.data };
  const made = folder === null ? null : await CopyFolder.begin(folder, use);
  const abandon = async () => made?.abandon();
  const files =
    filesTo === null
      ? null
      : await openFilesPlace(config, { filesTo, of }, tmp).catch(async (error) => {
          await abandon();
          throw error;
        });
  if (files !== null) parts.opened(files, close);
  const handOn = async () => {
    if (folder !== null && folder !== config.data) await handOnHost(config.data, folder);
  };
  const isFile = made !== null && use.takesDatabase;
  return {
    database: isFile ? { file: made.database, name: folder ?? '' } : { address: config.copyTo },
    files,
    async beforeEnd() {
      if (isFile) return;
      await handOn();
      await made?.endFiles();
    },
    async end() {
      if (isFile) await handOn();
      await made?.end();
    },
    abandon,
  };
}

/**
 * Opens the target for a copy of the files: a folder, or `s3://bucket/prefix`. If a copy to a
 * bucket is interrupted, the next copy with the same `of` reuses its files. `of` is the database's
 * name without a password, because a hash of `of` becomes visible.
 */
export async function openFilesPlace(
  config: Config,
  { filesTo, of }: { filesTo: string; of: string },
  tmp: string,
): Promise<FilesPlace> {
  if (!filesTo.startsWith('s3://')) return filesInFolder(filesTo);
  const { filesInBucket } = await import('../files/s3/files-in-bucket.ts');
  const places = createHash('sha256').update(`${of}\n${filesTo}`).digest('hex');
  // The name of this record must start with `copied-files-`. By this name, `CopyFolder` recognizes
  // that a restore into a folder has put the files into a bucket.
  const record = join(config.data, `copied-files-${places.slice(0, 16)}.jsonl`);
  const beside = { folder: dirname(record), prefix: `${basename(record)}.` };
  return openTogether(async (parts) => {
    parts.opened(await PlaceMark.set(beside, filesTo), (it) => it.remove());
    const settings = { ...config, files: filesTo };
    return parts.opened(await filesInBucket({ settings, record, tmp }), close);
  });
}
