import type { FoundFile, KnownFile } from './library-file.ts';
import type { Move } from './ports.ts';
import type { WalkedRoot } from './walk-root.ts';

/** A move with what was known of the file. */
export interface KnownMove extends Move {
  readonly from: KnownFile;
}

interface Changes {
  readonly changed: readonly FoundFile[];
  readonly gone: readonly KnownFile[];
  readonly moved: readonly KnownMove[];
}

/**
 * The images in parts (`.001`, `.002` and so on), by the paths of their first parts, of which a part came, went, changed, or
 * moved without the first one.
 */
export function changedImages({ changed, gone, moved }: Changes): Set<string> {
  const images = new Set([...changed, ...gone].flatMap(({ path }) => firstPartOf(path) ?? []));
  const places = new Map(moved.map(({ from, to }) => [from.path, to.path]));
  for (const { from, to } of moved) {
    const [left, joined] = [firstPartOf(from.path), firstPartOf(to.path)];
    if (left !== null && places.get(left) === joined) continue;
    for (const image of [left, joined]) if (image !== null) images.add(image);
  }
  return images;
}

/** The other parts of these images below a root, which did not change by themselves, and what is known of them. */
export function partsOf(
  images: ReadonlySet<string>,
  { keptFound, keptKnown, changed }: WalkedRoot,
  moved: readonly Move[],
): { files: FoundFile[]; ids: number[] } {
  if (images.size === 0) return { files: [], ids: [] };
  const arrived = new Map(moved.map(({ id, to }) => [to, id]));
  const isChanged = new Set(changed.filter((file) => !arrived.has(file)));
  const files = keptFound.filter((file) => {
    const image = firstPartOf(file.path);
    return image !== null && images.has(image) && !isChanged.has(file);
  });
  const taken = new Set(files.map(({ path }) => path));
  const stayed = keptKnown.filter(({ path }) => taken.has(path)).map(({ id }) => id);
  return { files, ids: [...stayed, ...files.flatMap((file) => arrived.get(file) ?? [])] };
}

/** Whether a file is a part of an image, by its name. */
export function isPart(path: string): boolean {
  return firstPartOf(path) !== null;
}

function firstPartOf(path: string): string | null {
  return /\.(?!000$)\d{3}$/.test(path) ? `${path.slice(0, -4)}.001` : null;
}
