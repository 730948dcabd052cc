import { changedImages, type KnownMove, partsOf } from './changed-parts.ts';
import type { FoundFile, KnownFile, LibraryRoot } from './library-file.ts';
import type { KnownFiles, Move } from './ports.ts';
import type { WalkedRoot } from './walk-root.ts';

export interface Changes {
  /** New, or of another size or time; by root. */
  readonly changed: readonly { root: LibraryRoot; files: readonly FoundFile[] }[];
  readonly moved: readonly Move[];
  readonly gone: readonly KnownFile[];
  /** Ids of files that count as changed, though they did not by themselves: what is known of them is no longer true. */
  readonly untrue: readonly number[];
}

/**
 * What changed below the roots since it was stored; below a root with a problem nothing did. A file that moved, also
 * from root to root, has its size and time, and its name or inode. A part of an image changes with the others.
 * `full` counts every file as changed.
 */
export async function compareRoots(
  walked: readonly WalkedRoot[],
  { known, full }: { known: Pick<KnownFiles, 'inodesOf'>; full: boolean },
): Promise<Changes> {
  const trusted = walked.filter((one) => one.problem === null);
  const missing = trusted.flatMap(goneBelow);
  const left = [...missing, ...trusted.flatMap(({ replaced }) => replaced)];
  const { moved, takenIds, takenFiles } = await pairMoves(trusted, left, known);
  const gone = missing.filter(({ id }) => !takenIds.has(id));
  const notMoved = (files: readonly FoundFile[]) => files.filter((file) => !takenFiles.has(file));
  const images = changedImages({
    changed: trusted.flatMap(({ changed }) => notMoved(changed)),
    gone,
    moved,
  });
  const untrue: number[] = [];
  const changes = trusted.map((one) => {
    const { files, ids } = partsOf(images, one, moved);
    untrue.push(...ids);
    return { root: one.root, files: full ? one.keptFound : [...notMoved(one.changed), ...files] };
  });
  return { changed: changes, moved, gone, untrue };
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
  const moved: KnownMove[] = [];
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
      moved.push({ id: from.id, root, to, from });
    }
  }
  return { moved, takenIds, takenFiles };
}

function versionOf({ size, mtimeNs }: Pick<FoundFile, 'size' | 'mtimeNs'>): string {
  return `${size}-${mtimeNs}`;
}
