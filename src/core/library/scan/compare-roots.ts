import { filterInSlices, forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { FoundFile, KnownFile, LibraryRoot } from '../library-file.ts';
import type { KnownFiles, Move } from '../ports.ts';
import { changedImages, type KnownMove, partsOf } from './changed-parts.ts';
import type { WalkedRoot } from './walk-root.ts';

export interface Changes {
  /**
   * For each root, the files to identify: new files, files with another size or time than recorded,
   * and parts of changed images. With `full`, all files.
   */
  readonly changed: readonly { root: LibraryRoot; files: readonly FoundFile[] }[];
  readonly moved: readonly Move[];
  readonly gone: readonly KnownFile[];
  /**
   * Ids of records that are stale although the file itself is unchanged, because another part of
   * the same split image changed.
   */
  readonly staleIds: readonly number[];
}

/**
 * Returns the changes below the roots since the last scan. A root with a problem is skipped. A
 * moved file is recognised by its size and time, and by its name or inode, even below another root.
 * If a part of a split image changed, all other parts of the image count as changed too. With
 * `full`, every file counts as changed.
 */
export async function compareRoots(
  walked: readonly WalkedRoot[],
  { known, full }: { known: Pick<KnownFiles, 'inodesOf'>; full: boolean },
): Promise<Changes> {
  const trusted = walked.filter((one) => one.problem === null);
  const missing = (await Promise.all(trusted.map(deletedFiles))).flat();
  const left = [...missing, ...trusted.flatMap(({ replaced }) => replaced)];
  const { moved, takenIds, takenFiles } = await pairMoves(trusted, left, known);
  const gone = await filterInSlices(missing, ({ id }) => !takenIds.has(id));
  const stayed = await Promise.all(
    trusted.map(({ changed }) => filterInSlices(changed, (file) => !takenFiles.has(file))),
  );
  const images = await changedImages({ changed: stayed.flat(), gone, moved });
  const staleIds: number[] = [];
  const changes: { root: LibraryRoot; files: readonly FoundFile[] }[] = [];
  for (const [index, one] of trusted.entries()) {
    const { files, ids } = await partsOf(images, one, moved);
    for (const id of ids) staleIds.push(id);
    const all = full ? one.collectedFound : [...(stayed[index] ?? []), ...files];
    changes.push({ root: one.root, files: all });
  }
  return { changed: changes, moved, gone, staleIds };
}

/**
 * Returns the known files that were deleted. Missing files below an unreadable folder are left out,
 * because they may still exist.
 */
function deletedFiles({ missing, unreadable }: WalkedRoot): Promise<KnownFile[]> {
  const folders = new Set(unreadable.map(({ path }) => path));
  return filterInSlices(missing, ({ path }) => {
    if (folders.size === 0) return true;
    for (
      let above = path;
      above !== '';
      above = above.slice(0, Math.max(0, above.lastIndexOf('/')))
    ) {
      if (folders.has(above)) return false;
    }
    return true;
  });
}

/**
 * Pairs changed files with known files that are missing from their path or were replaced there.
 * Each pair is a move.
 */
async function pairMoves(
  roots: readonly WalkedRoot[],
  left: readonly KnownFile[],
  known: Pick<KnownFiles, 'inodesOf'>,
) {
  const arrived = new Set<string>();
  for (const { changed } of roots) {
    if (left.length === 0) break;
    await forEachInSlices(changed, (file) => arrived.add(versionOf(file)));
  }
  const likely = await filterInSlices(left, (old) => arrived.has(versionOf(old)));
  const inodes = await known.inodesOf(likely.map(({ id }) => id));
  const leavers = new MissingFileIndex();
  await forEachInSlices(likely, (old) => leavers.add(old, inodes.get(old.id)));
  const moved: KnownMove[] = [];
  const takenIds = new Set<number>();
  const takenFiles = new Set<FoundFile>();
  for (const { root, changed } of roots) {
    await forEachInSlices(likely.length === 0 ? [] : changed, (to) => {
      const from = leavers.take(to);
      if (from === undefined) return;
      takenIds.add(from.id);
      takenFiles.add(to);
      moved.push({ id: from.id, root, to, from });
    });
  }
  return { moved, takenIds, takenFiles };
}

/**
 * A collection of known files that are missing from their path or were replaced there. `take` finds
 * the known file that was moved to a new path. Each known file is returned at most once.
 */
class MissingFileIndex {
  /**
   * The files with each key, in the order of the `add` calls. All files before the index `at` were
   * already returned by `take`.
   */
  readonly #byKey = new Map<
    string,
    { at: number; readonly all: { file: KnownFile; order: number }[] }
  >();
  readonly #taken = new Set<KnownFile>();
  #count = 0;

  add(file: KnownFile, inode: bigint | undefined): void {
    const one = { file, order: this.#count };
    this.#count += 1;
    const version = versionOf(file);
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    for (const key of [
      `${version}/${name}`,
      ...(inode === undefined ? [] : [`${version}:${inode}`]),
    ]) {
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, { at: 0, all: [one] });
      else known.all.push(one);
    }
  }

  /**
   * Returns the first file that has the same size and time as `to`, and the same name or inode. A
   * file that was returned before is skipped. Returns undefined if no file matches.
   */
  take(to: FoundFile): KnownFile | undefined {
    const version = versionOf(to);
    const [named, same] = [
      this.#first(`${version}/${to.name}`),
      this.#first(`${version}:${to.inode}`),
    ];
    const first = named && same ? (named.order < same.order ? named : same) : (named ?? same);
    if (first !== undefined) this.#taken.add(first.file);
    return first?.file;
  }

  #first(key: string) {
    const known = this.#byKey.get(key);
    if (known === undefined) return undefined;
    for (; known.at < known.all.length; known.at += 1) {
      const one = known.all[known.at];
      if (one !== undefined && !this.#taken.has(one.file)) return one;
    }
    return undefined;
  }
}

function versionOf({ size, mtimeNs }: Pick<FoundFile, 'size' | 'mtimeNs'>): string {
  return `${size}-${mtimeNs}`;
}
