import { mkdir, readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { journalName } from '../../core/builds/journal.ts';
import type { BuildTarget, BuildTargets } from '../../core/builds/ports.ts';
import type { TargetFolders } from '../../core/builds/target-ports.ts';
import { refused } from '../../core/shared/errors.ts';
import { withPathInErrors } from '../backups/write-atomically.ts';
import { isGone } from '../local/disk-error.ts';
import { TargetMarker } from '../target-marker.ts';
import { FolderTarget } from './folder-target.ts';
import { GameWriter } from './game-writer.ts';
import { JournalFile } from './journal-file.ts';
import { type ProtectedFolder, refuseProtected, resolveFolder } from './protected-folders.ts';
import { diskOf } from './target-file-system.ts';
import { statAt } from './target-reader.ts';
import { isTemporaryName } from './temporary-name.ts';
import type { UnpackArchive } from './unpacked-archive.ts';
import { UnpackingWriter } from './unpacking-writer.ts';
import { ContentWriter, type FindSource } from './write-content.ts';

/** Prefix of the names of marks. A mark shows that a process is working on the target. */
const markerPrefix = '.catalog-build-';

/**
 * After a power cut, a mark of a dead process may seem to be in use. The host may have another name
 * now, or another process may have the same id. The times are short, so that the mark expires
 * before a job that waits for the folder gives up.
 */
const markerTimes = { renewMs: 60_000, abandonedMs: 5 * 60_000 };

/** Entries that mkfs creates in a new file system. */
const ignoredNames: readonly string[] = ['lost+found'];

/** The folders of this machine as targets of builds. */
export class FolderTargets implements BuildTargets, TargetFolders {
  readonly #protected: () => Promise<readonly ProtectedFolder[]>;
  readonly #find: FindSource;
  readonly #unpack: UnpackArchive;

  constructor(parts: {
    protected: () => Promise<readonly ProtectedFolder[]>;
    find: FindSource;
    unpack: UnpackArchive;
  }) {
    this.#protected = parts.protected;
    this.#find = parts.find;
    this.#unpack = parts.unpack;
  }

  async check(path: string): Promise<void> {
    // If the path cannot be resolved, for example on a failing disk, the build reports the error.
    const folder = await resolveFolder(path).catch(() => resolve(path));
    await refuseProtected(folder, await this.#protected());
  }

  async exists(path: string): Promise<boolean> {
    return stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  }

  open(
    path: string,
    { mayWrite, isAdopted }: { readonly mayWrite: boolean; readonly isAdopted: boolean },
  ): Promise<BuildTarget> {
    return withPathInErrors(path, async () => {
      const folder = await resolveFolder(path);
      await refuseProtected(folder, await this.#protected());
      if (!isAdopted) await refuseForeign(folder);
      if (mayWrite) await mkdir(folder, { recursive: true });
      const marker = mayWrite
        ? await TargetMarker.set(
            { folder, prefix: markerPrefix, times: markerTimes },
            `building in ${folder}`,
          )
        : null;
      try {
        const disk = await diskOf(folder);
        const plain = new ContentWriter(this.#find, disk);
        const target = new FolderTarget({
          ...{ folder, marker },
          root: await statAt(folder),
          disk,
          file: await JournalFile.read(folder),
          writer: new GameWriter(plain, new UnpackingWriter(plain, this.#unpack)),
        });
        await target.recover();
        return target;
      } catch (error) {
        await marker?.remove();
        throw error;
      }
    });
  }
}

/** Throws refused() if a folder has no journal, but has files that no build made. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error): string[] => {
    if (isGone(error)) return [];
    throw error;
  });
  if (names.includes(journalName)) return;
  const isOwn = (name: string) => isTemporaryName(name) || name.startsWith(markerPrefix);
  if (names.every((name) => ignoredNames.includes(name) || isOwn(name))) return;
  throw refused(
    `${folder} has files that no build made: choose another folder, or use --adopt, which leaves them as they are`,
  );
}
