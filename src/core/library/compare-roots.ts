import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { KnownFiles, Move } from './ports.ts';
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
export async function compareRoots(
  walked: readonly WalkedRoot[],
  { known, full }: { known: Pick<KnownFiles, 'inodesOf'>; full: boolean },
): Promise<Changes> {
  const trusted = walked.filter((one) => one.problem === null);
  const gone = trusted.flatMap(goneBelow);
  const left = [...gone, ...trusted.flatMap(({ replaced }) => replaced)];
  const { moved, takenIds, takenFiles } = await pairMoves(trusted, left, known);
  return {
    changed: trusted.map(({ root, found, changed }) => ({
      root,
      files: full ? found : changed.filter((file) => !takenFiles.has(file)),
    })),
    moved,
    gone: gone.filter(({ id }) => !takenIds.has(id)),
  };
}

/** What lies below a folder that could not be read is not gone. */
function goneBelow({ missing, unreadable }: WalkedRoot): KnownFile[] {
  return missing.filter(
    ({ path }) =>
      !unreadable.some((folder) => path === folder.path || path.startsWith(`${folder.path}/`)),
  );
}

/** Which of the changed files are among those that left their places. */
async function pairMoves(
  roots: readonly WalkedRoot[],
  left: readonly KnownFile[],
  known: Pick<KnownFiles, 'inodesOf'>,
) {
  const arrived = new Set(roots.flatMap(({ changed }) => changed.map(versionOf)));
  const likely = left.filter((old) => arrived.has(versionOf(old)));
  const inodes = await known.inodesOf(likely.map(({ id }) => id));
  const byVersion = Map.groupBy(likely, versionOf);
  const moved: Move[] = [];
  const takenIds = new Set<number>();
  const takenFiles = new Set<FoundFile>();
  for (const { root, changed } of roots) {
    for (const to of changed) {
      const isFrom = ({ id, path }: KnownFile) =>
        !takenIds.has(id) && (path.endsWith(`/${to.name}`) || inodes.get(id) === to.inode);
      const from = byVersion.get(versionOf(to))?.find(isFrom);
      if (from === undefined) continue;
      takenIds.add(from.id);
      takenFiles.add(to);
      moved.push({ id: from.id, root, to });
    }
  }
  return { moved, takenIds, takenFiles };
}

function versionOf({ size, mtimeNs }: Pick<FoundFile, 'size' | 'mtimeNs'>): string {
  return `${size}-${mtimeNs}`;
}
