import { filterInSlices, forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile, KnownFile } from '../library-file.ts';
import type { Move } from '../ports.ts';
import type { WalkedRoot } from './walk-root.ts';

/** A move of a file, with the record of the file before the move. */
export interface KnownMove extends Move {
  readonly from: KnownFile;
}

interface Changes {
  readonly changed: readonly FoundFile[];
  readonly gone: readonly KnownFile[];
  readonly moved: readonly KnownMove[];
}

/**
 * Returns the split images (`.001`, `.002` and so on) that changed. The result contains the path of
 * the first part of each image. An image changed if a part was added, deleted or changed, or was
 * moved without the first part.
 */
export async function changedImages({ changed, gone, moved }: Changes): Promise<Set<string>> {
  const images = new Set<string>();
  const add = (image: string | null) => image !== null && images.add(image);
  for (const files of [changed, gone] as (readonly { path: string }[])[]) {
    await forEachInSlices(files, ({ path }) => add(firstPartOf(path)));
  }
  const places = new Map<string, string>();
  await forEachInSlices(moved, ({ from, to }) => places.set(from.path, to.path));
  await forEachInSlices(moved, ({ from, to }) => {
    const [left, joined] = [firstPartOf(from.path), firstPartOf(to.path)];
    if (left !== null && places.get(left) === joined) return;
    for (const image of [left, joined]) add(image);
  });
  return images;
}

/**
 * Returns the unchanged parts of these images below a root, and the ids of the records of these
 * parts. The records are stale, because another part of the same image changed.
 */
export async function partsOf(
  images: ReadonlySet<string>,
  { collectedFound, collectedKnown, changed }: WalkedRoot,
  moved: readonly Move[],
): Promise<{ files: FoundFile[]; ids: number[] }> {
  if (images.size === 0) return { files: [], ids: [] };
  const arrived = new Map(moved.map(({ id, to }) => [to, id]));
  const isChanged = new Set(await filterInSlices(changed, (file) => !arrived.has(file)));
  const files = await filterInSlices(collectedFound, (file) => {
    const image = firstPartOf(file.path);
    return image !== null && images.has(image) && !isChanged.has(file);
  });
  const taken = new Set(files.map(({ path }) => path));
  const stayed = (await filterInSlices(collectedKnown, ({ path }) => taken.has(path))).map(
    ({ id }) => id,
  );
  return { files, ids: [...stayed, ...files.flatMap((file) => arrived.get(file) ?? [])] };
}

/** Returns true if a file is a part of a split image according to its name. */
export function isPart(path: string): boolean {
  return firstPartOf(path) !== null;
}

function firstPartOf(path: string): string | null {
  return /\.(?!000$)\d{3}$/.test(path) ? `${path.slice(0, -4)}.001` : null;
}
