import type { LibraryRoot } from '../library-file.ts';
import { matchingRules } from '../match/match.ts';
import type { CatalogueEvidence, Move, ScannedFiles, ScanStore } from '../ports.ts';
import { matchAgain } from '../sets/match-changed-sets.ts';
import type { MatchChanges } from './match-changes.ts';

const filesPerBatch = 500;

interface Records {
  readonly scanned: ScannedFiles;
  readonly store: ScanStore;
  readonly catalogue: CatalogueEvidence;
  readonly matchChanges: MatchChanges;
}

/**
 * Matches known files again, without opening files. If the catalogue or the matching rules changed,
 * all files below a root are matched, unless `onlyMoved` is set. Otherwise only moved files are
 * matched, because the name of a file is evidence. Files in sets are left out. In the result,
 * `roots` contains the roots below which all files outside sets were matched. `version` is the
 * version to pass to `markMatched` after the sets are matched. A file that another process reads or
 * hashes meanwhile keeps the match of that process.
 */
export async function rematch(
  records: Records,
  options: {
    roots: readonly LibraryRoot[];
    moved: readonly Move[];
    onlyMoved: boolean;
    signal: AbortSignal;
  },
): Promise<{ roots: Set<LibraryRoot>; version: string }> {
  const version = matchVersion(await records.catalogue.version());
  const roots = new Set<LibraryRoot>();
  for (const root of options.roots) {
    const isCurrent = version === (await records.scanned.matchedVersion(root));
    if (isCurrent || options.onlyMoved) {
      const paths = options.moved.filter((move) => move.root === root).map(({ to }) => to.path);
      await rematchPaths(records, root, paths, options.signal);
    } else {
      await rematchRoot(records, root, options.signal);
      roots.add(root);
    }
  }
  return { roots, version };
}

/**
 * Returns the version of matches, which combines the versions of the catalogue and of the rules.
 */
export function matchVersion(catalogue: string): string {
  return `${catalogue} by rules ${matchingRules}`;
}

async function rematchPaths(
  records: Records,
  root: LibraryRoot,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let start = 0; start < paths.length; start += filesPerBatch) {
    signal.throwIfAborted();
    const files = await records.scanned.filesAt(root, paths.slice(start, start + filesPerBatch));
    await matchAgain(files, root, records);
  }
}

async function rematchRoot(
  records: Records,
  root: LibraryRoot,
  signal: AbortSignal,
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const files = await records.scanned.pageAfter(root, after, filesPerBatch);
    if (files.length === 0) return;
    const alone = files.filter(({ setKey }) => setKey === null);
    await matchAgain(alone, root, records);
    after = files.at(-1)?.path ?? '';
  }
}
