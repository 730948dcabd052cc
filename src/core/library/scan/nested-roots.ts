import type { LibraryRoot } from '../library-file.ts';
import type { Disk } from '../ports.ts';

/**
 * A library root and its resolved path. `place` is the path with all links resolved, or null if the
 * path was not resolved.
 */
export interface PlacedRoot {
  readonly root: LibraryRoot;
  readonly place: string | null;
}

/** A library root that contains another root, or is contained in another root. */
export interface RelatedRoot {
  readonly root: LibraryRoot;
  /**
   * The folder of the inner root, written as a path that starts with the path of the outer root.
   */
  readonly folder: string;
}

/** Resolves all links in the paths of roots. */
export async function placeRoots(
  roots: readonly LibraryRoot[],
  disk: Pick<Disk, 'placeOf'>,
): Promise<PlacedRoot[]> {
  const placed: PlacedRoot[] = [];
  for (const root of roots) placed.push({ root, place: await disk.placeOf(root.path) });
  return placed;
}

/**
 * Returns one root for each folder. If several roots are the same folder, a root for videos is
 * preferred, else the first root is used.
 */
export function distinctRoots(roots: readonly PlacedRoot[]): PlacedRoot[] {
  return roots.filter((one) => {
    const same = roots.filter(({ place }) => place === one.place);
    return one === (same.find(({ root }) => root.system === 'videos') ?? same[0]);
  });
}

/** Returns the roots inside `outer`, ordered from the innermost to the outermost. */
export function innerRoots(outer: PlacedRoot, roots: readonly PlacedRoot[]): RelatedRoot[] {
  return roots
    .flatMap((inner) => {
      const folder = folderIn(outer, inner);
      return folder === null ? [] : [{ root: inner.root, folder }];
    })
    .sort((one, other) => other.folder.length - one.folder.length);
}

/**
 * Returns the roots around `inner`, ordered from the innermost to the outermost. A root that is the
 * same folder under another path counts as a root around `inner`.
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

/** Returns true if a path is below a folder. Both paths must be absolute. */
export function isBelow(folder: string, path: string): boolean {
  return path.length > folder.length && path.startsWith(asFolder(folder));
}

/** Returns a path after replacing the parent folder `from` by the folder `to`. */
export function movePath(path: string, from: string, to: string): string {
  return asFolder(to) + path.slice(asFolder(from).length);
}

/**
 * Returns the folder of the inner root, written as a path that starts with the path of the outer
 * root. Returns null if the inner root is not below the outer root.
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
