import type { FoundFile, LibraryRoot } from './library-file.ts';
import type { Disk, ScannedFiles } from './ports.ts';
import type { WalkedRoot } from './walk-root.ts';

interface FilesOfRoot {
  readonly root: LibraryRoot;
  readonly files: readonly FoundFile[];
}

interface Parts {
  readonly disk: Disk;
  readonly scanned: ScannedFiles;
}

/** Whether there are files below a root that would be read otherwise today than they were. */
export async function hasOutdated(root: LibraryRoot, parts: Parts): Promise<boolean> {
  return (await outdatedReaders(root, parts)).length > 0;
}

/** Of each root the files that did not change, but that would be read otherwise today than they were. */
export async function listOutdated(
  changed: readonly FilesOfRoot[],
  walked: readonly WalkedRoot[],
  parts: Parts,
): Promise<FilesOfRoot[]> {
  const outdated: FilesOfRoot[] = [];
  for (const { root, files } of changed) {
    const readers = await outdatedReaders(root, parts);
    if (readers.length === 0) continue;
    const paths = await parts.scanned.readBy(root, readers);
    for (const { path } of files) paths.delete(path);
    const found = walked.find((one) => one.root === root)?.keptFound ?? [];
    outdated.push({ root, files: found.filter(({ path }) => paths.has(path)) });
  }
  return outdated;
}

async function outdatedReaders(root: LibraryRoot, { disk, scanned }: Parts): Promise<string[]> {
  return (await scanned.readers(root)).filter((reader) => !disk.isCurrent(reader));
}
