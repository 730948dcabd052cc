import type { FoundFile, LibraryRoot } from './library-file.ts';
import type { Disk, ScannedFiles } from './ports.ts';
import type { WalkedRoot } from './walk-root.ts';

interface FilesOfRoot {
  readonly root: LibraryRoot;
  readonly files: readonly FoundFile[];
}

/** Of each root the files that did not change, but that would be read otherwise today than they were. */
export async function listOutdated(
  changed: readonly FilesOfRoot[],
  walked: readonly WalkedRoot[],
  { disk, scanned }: { disk: Disk; scanned: ScannedFiles },
): Promise<FilesOfRoot[]> {
  const outdated: FilesOfRoot[] = [];
  for (const { root, files } of changed) {
    const readers = (await scanned.readers(root)).filter((reader) => !disk.isCurrent(reader));
    if (readers.length === 0) continue;
    const paths = await scanned.readBy(root, readers);
    for (const { path } of files) paths.delete(path);
    const found = walked.find((one) => one.root === root)?.found ?? [];
    outdated.push({ root, files: found.filter(({ path }) => paths.has(path)) });
  }
  return outdated;
}
