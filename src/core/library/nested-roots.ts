import type { LibraryRoot } from './library-file.ts';
import type { Disk } from './ports.ts';

/**
 * A library root, and its path with all links resolved. `place` is null if the path was not
 * resolved.
 */
export interface PlacedRoot {
  readonly root: LibraryRoot;
  readonly place: string | null;
}

/** A library root that contains another one, or is contained in it. */
export interface RelatedRoot {
  readonly root: LibraryRoot;
  /** The folder of the inner root, as a path that starts with the outer root's path. */
  readonly folder: string;
}

/** Resolves the links in the paths of roots. */
export async function placeRoots(
  roots: readonly LibraryRoot[],
  disk: Pick<Disk, 'placeOf'>,
): Promise<PlacedRoot[]> {
  const placed: PlacedRoot[] = [];
  for (const root of roots) placed.push({ root, place: await disk.placeOf(root.path) });
  return placed;
}

/**
 * Returns each folder once. If a folder was given several times, the root for videos is returned,
 * else the first one.
 */
export function distinctRoots(roots: readonly PlacedRoot[]): PlacedRoot[] {
  return roots.filter((one) => {
    const same = roots.filter(({ place }) => place === one.place);
    return one === (same.find(({ root }) => root.system === 'videos') ?? same[0]);
  });
}

/** Returns the roots inside this one, ordered from the innermost to the outermost. */
export function innerRoots(outer: PlacedRoot, roots: readonly PlacedRoot[]): RelatedRoot[] {
  return roots
    .flatMap((inner) => {
      const folder = folderIn(outer, inner);
      return folder === null ? [] : [{ root: inner.root, folder }];
    })
    .sort((one, other) => other.folder.length - one.folder.length);
}

/**
 * Returns the roots around this one, ordered from the innermost to the outermost. Includes a root
 * that is the same folder under another path.
 */
export function outerRoots(inner: PlacedRoot, roots: readonly PlacedRoot[]): RelatedRoot[] {
  return roots
    .flatMap((outer) => {
      const isSame = outer.place === inner.place && outer.root.path !== inner.root.path;
      const folder = isSame && inner.place !== null ? outer.root.path : folderIn(outer, inner);
      return folder === null ? [] : [{ root: outer.root, folder }];
    })
    .sort((one, other) => other.root.path.length - one.root.path.length);
}

/** Whether a path is below a folder; both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path.length > folder.length && path.startsWith(asFolder(folder));
}

/** Returns a path with its parent folder `from` replaced by the folder `to`. */
export function movePath(path: string, from: string, to: string): string {
  return asFolder(to) + path.slice(asFolder(from).length);
}

/**
 * Returns the inner root's folder as a path that starts with the outer root's path. Null if the
 * inner root is not below the outer one.
 */
function folderIn(outer: PlacedRoot, inner: PlacedRoot): string | null {
  if (isBelow(outer.root.path, inner.root.path)) return inner.root.path;
  if (outer.place === null || inner.place === null) return null;
  if (!isBelow(outer.place, inner.place)) return null;
  return movePath(inner.place, outer.place, outer.root.path);
}

function asFolder(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
