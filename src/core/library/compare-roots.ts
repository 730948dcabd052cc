import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { Move } from './ports.ts';
import type { Trouble } from './scan-report.ts';
import type { WalkedRoot } from './walk-root.ts';

export interface Changes {
  /** New, or of another size or time; by root. */
  readonly changed: readonly { root: LibraryRoot; files: readonly FoundFile[] }[];
  readonly moved: readonly Move[];
  readonly gone: readonly KnownFile[];
}

/**
 * What changed below the roots since it was stored; below a root with a problem nothing did. A file that moved, also
 * from root to root, has its size and time, and its name or inode. `full` counts every file as changed.
 */
export function compareRoots(walked: readonly WalkedRoot[], { full }: { full: boolean }): Changes {
  const trusted = walked.filter((one) => one.problem === null).map(compareRoot);
  const { moved, takenIds, takenFiles } = pairMoves(trusted);
  return {
    changed: trusted.map(({ root, found, changed }) => ({
      root,
      files: full ? found : changed.filter((file) => !takenFiles.has(file)),
    })),
    moved,
    gone: trusted.flatMap(({ gone }) => gone).filter(({ id }) => !takenIds.has(id)),
  };
}

interface Compared {
  readonly root: LibraryRoot;
  readonly found: readonly FoundFile[];
  readonly changed: readonly FoundFile[];
  /** Known where there is no file any more. */
  readonly gone: readonly KnownFile[];
  /** Known where there is another file now. */
  readonly replaced: readonly KnownFile[];
}

function compareRoot({ root, found, known, unreadable }: WalkedRoot): Compared {
  const missing = new Map(known);
  const changed: FoundFile[] = [];
  const replaced: KnownFile[] = [];
  for (const file of found) {
    const earlier = known.get(file.path);
    missing.delete(file.path);
    if (earlier?.size === file.size && earlier.mtimeNs === file.mtimeNs) continue;
    changed.push(file);
    if (earlier !== undefined) replaced.push(earlier);
  }
  // What lies below a folder that could not be read is not gone.
  const gone = [...missing.values()].filter((file) => !isBelowAny(file.path, unreadable));
  return { root, found, changed, gone, replaced };
}

function isBelowAny(path: string, unreadable: readonly Trouble[]): boolean {
  return unreadable.some((folder) => path === folder.path || path.startsWith(`${folder.path}/`));
}

function pairMoves(roots: readonly Compared[]) {
  const left = Map.groupBy(
    roots.flatMap(({ gone, replaced }) => [...gone, ...replaced]),
    versionOf,
  );
  const moved: Move[] = [];
  const takenIds = new Set<number>();
  const takenFiles = new Set<FoundFile>();
  for (const { root, changed } of roots) {
    for (const to of changed) {
      const from = left
        .get(versionOf(to))
        ?.find((old) => !takenIds.has(old.id) && (old.name === to.name || old.inode === to.inode));
      if (from === undefined) continue;
      takenIds.add(from.id);
      takenFiles.add(to);
      moved.push({ id: from.id, root, to });
    }
  }
  return { moved, takenIds, takenFiles };
}

function versionOf(file: FoundFile): string {
  return `${file.size}-${file.mtimeNs}`;
}
