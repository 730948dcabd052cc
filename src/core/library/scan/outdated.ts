import type { FoundFile, LibraryRoot } from '../library-file.ts';
import type { Disk, ScannedFiles } from '../ports.ts';
import type { WalkedRoot } from './walk-root.ts';

interface FilesOfRoot {
  readonly root: LibraryRoot;
  readonly files: readonly FoundFile[];
}

interface Parts {
  readonly disk: Disk;
  readonly scanned: ScannedFiles;
}

/** Returns true if a root has files that this version of the program would read differently. */
export async function hasOutdated(root: LibraryRoot, parts: Parts): Promise<boolean> {
  return (await outdatedReaders(root, parts)).length > 0;
}

/**
 * Returns the unchanged files that this version of the program would read differently, for each
 * root in `changed`.
 */
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
    const found = walked.find((one) => one.root === root)?.collectedFound ?? [];
    outdated.push({ root, files: found.filter(({ path }) => paths.has(path)) });
  }
  return outdated;
}

async function outdatedReaders(root: LibraryRoot, { disk, scanned }: Parts): Promise<string[]> {
  return (await scanned.readers(root)).filter((reader) => !disk.isCurrent(reader));
}
