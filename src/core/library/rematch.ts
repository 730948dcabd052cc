import type { LibraryRoot } from './library-file.ts';
import { matchFiles } from './match-files.ts';
import type { LibraryRecords, Move } from './ports.ts';

const filesPerBatch = 500;

/**
 * Matches what is known again, opening no file: everything below a root when the catalogue changed since (an import,
 * an edit), else only what moved, because a name is evidence.
 */
export async function rematch(
  records: LibraryRecords,
  options: { roots: readonly LibraryRoot[]; moved: readonly Move[]; signal: AbortSignal },
): Promise<void> {
  const version = await records.catalogueVersion();
  for (const root of options.roots) {
    if (version === (await records.matchedVersion(root))) {
      const paths = options.moved.filter((move) => move.root === root).map(({ to }) => to.path);
      await rematchPaths(records, root, paths, options.signal);
    } else {
      await rematchRoot(records, root, options.signal);
      await records.setMatchedVersion(root, version);
    }
  }
}

async function rematchPaths(
  records: LibraryRecords,
  root: LibraryRoot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; start < paths.length; start += filesPerBatch) {
    signal.throwIfAborted();
    const files = await records.filesAt(root, paths.slice(start, start + filesPerBatch));
    await records.save(root, await matchFiles(records, files));
  }
}

async function rematchRoot(
  records: LibraryRecords,
  root: LibraryRoot,
  signal: AbortSignal,
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const files = await records.filesAfter(root, after, filesPerBatch);
    if (files.length === 0) return;
    await records.save(root, await matchFiles(records, files));
    after = files.at(-1)?.path ?? '';
  }
}
