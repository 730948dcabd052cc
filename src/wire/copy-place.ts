import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { CopyDestination } from '../core/backups/copies/copies.ts';
import type { FilesDestination } from '../core/backups/copies/ports.ts';
import { CopyFolder } from '../files/copies/copy-folder.ts';
import { filesInFolder } from '../files/copies/files-in-folder.ts';
import { copyHost } from '../files/host.ts';
import { TargetMarker } from '../files/target-marker.ts';
import { type Config, copyTargets } from '../settings/config.ts';
import { reservePostgresTarget } from '../sql/engine/open.ts';
import { close, openWithRollback, type ResourceStack } from './resource-stack.ts';
import { checkFilesBucket } from './stored-files.ts';

/** Objects that are in the bucket already, by `<area>/<name>` of their files. */
type ObjectsThere = ReadonlyMap<string, { readonly key: string; readonly size: number }>;

/** An opened copy target. Until it is closed, no other process can copy to it. */
type OpenCopyTarget = CopyDestination & { abandon(): Promise<void>; close(): Promise<void> };

/**
 * Opens the configured target of `catalog copy`. The target is not recognized as a catalogue until
 * the copy is complete. Throws refused() if the database cannot be filled or the bucket cannot be
 * used. Nothing is created or sent before these checks.
 */
export async function openCopyTarget(config: Config, tmp: string): Promise<OpenCopyTarget> {
  const { database, filesTo } = copyTargets(config);
  return openWithRollback(async (parts) => {
    const reservation =
      'url' in database
        ? parts.track(await reservePostgresTarget(database.url), (it) => it.release())
        : null;
    const of = reservation?.name ?? config.copyTo;
    return openPlace(config, { database, filesTo, of }, { tmp, parts });
  });
}

async function openPlace(
  config: Config,
  { database, filesTo, of }: ReturnType<typeof copyTargets> & { of: string },
  { tmp, parts }: { tmp: string; parts: ResourceStack },
): Promise<Omit<OpenCopyTarget, 'close'>> {
  if (filesTo !== null) {
    await checkFilesBucket(config);
    await checkFilesBucket({ ...config, files: filesTo });
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
      : await openFilesTarget(config, { filesTo, of }, tmp).catch(async (error) => {
          await abandon();
          throw error;
        });
  if (files !== null) parts.track(files, close);
  const handOnHostId = async () => {
    if (folder !== null && folder !== config.data) await copyHost(config.data, folder);
  };
  const isFile = made !== null && use.takesDatabase;
  return {
    database: isFile ? { file: made.database, name: folder ?? '' } : { url: config.copyTo },
    files,
    async beforeEnd() {
      if (isFile) return;
      await handOnHostId();
      await made?.markFilesComplete();
    },
    async end() {
      if (isFile) await handOnHostId();
      await made?.complete();
    },
    abandon,
  };
}

/**
 * Opens the target for a copy of the files: a folder, or `s3://bucket/prefix`. If a copy to a
 * bucket is interrupted, the next copy with the same `of` reuses its files. `of` is the database's
 * name without a password, because a hash of `of` becomes visible. `there` are files whose objects
 * are in the bucket already.
 */
export async function openFilesTarget(
  config: Config,
  { filesTo, of, there = new Map() }: { filesTo: string; of: string; there?: ObjectsThere },
  tmp: string,
): Promise<FilesDestination> {
  if (!filesTo.startsWith('s3://')) return filesInFolder(filesTo);
  const { filesInBucket } = await import('../files/s3/files-in-bucket.ts');
  const places = createHash('sha256').update(`${of}\n${filesTo}`).digest('hex');
  // The name of this record must start with `copied-files-`. `CopyFolder` uses this name to
  // recognize that a restore has put the files into a bucket.
  const record = join(config.data, `copied-files-${places.slice(0, 16)}.jsonl`);
  const markerPlace = { folder: dirname(record), prefix: `${basename(record)}.` };
  return openWithRollback(async (parts) => {
    parts.track(await TargetMarker.set(markerPlace, `copying or restoring to ${filesTo}`), (it) =>
      it.remove(),
    );
    const settings = { ...config, files: filesTo };
    return parts.track(await filesInBucket({ settings, record, tmp, there }), close);
  });
}
