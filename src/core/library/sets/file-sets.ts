import { createHash } from 'node:crypto';
import { forEachInSlices } from '../../shared/concurrency/slices.ts';
import { FileNames, resolveSheetFiles, type Sheet } from './sheet-files.ts';
import { TracksByName } from './track-name.ts';

/**
 * Files that are matched together, because a sheet or their names indicate that they belong
 * together.
 */
export interface FileSet {
  /**
   * Identifies the set. The key is a hash of the paths, so it changes when the paths of the set
   * change.
   */
  readonly key: string;
  /** Paths of the set's files, sorted. */
  readonly paths: readonly string[];
}

/**
 * Returns the sets among the files below a root. A sheet and the files that it names form a set.
 * Sheets that name the same file share a set. Other files of one folder form a set if their names
 * are different tracks of one disc: `X (Track 1).bin`. Works in slices, because many files would
 * otherwise block other work for a long time.
 */
export async function groupSets(
  paths: readonly string[],
  sheets: readonly Sheet[],
): Promise<FileSet[]> {
  const names = new FileNames();
  await forEachInSlices(sheets, (sheet) => names.want(sheet));
  await forEachInSlices(paths, (path) => names.add(path));
  const lists = new JoinedLists();
  const taken = new Set(sheets.map(({ path }) => path));
  await forEachInSlices(sheets, (sheet) => {
    const files = resolveSheetFiles(sheet, names.find).flatMap(({ path }) => path ?? []);
    for (const path of files) taken.add(path);
    if (files.length > 0) lists.add([sheet.path, ...files]);
  });
  const tracks = new TracksByName();
  await forEachInSlices(paths, (path) => {
    if (!taken.has(path)) tracks.add(path);
  });
  await forEachInSlices(tracks.lists(), (list) => lists.add(list));
  const sets: FileSet[] = [];
  await forEachInSlices(await lists.all(), (members) => {
    const ordered = members.toSorted();
    const key = createHash('sha256').update(ordered.join('\0')).digest('base64url').slice(0, 22);
    sets.push({ key, paths: ordered });
  });
  return sets;
}

/** Collects lists of texts. Lists that have a text in common are joined into one list. */
class JoinedLists {
  /**
   * For each list, by index, the index of the list that it was joined to. A list that was not
   * joined has its own index here.
   */
  readonly #parents: number[] = [];
  readonly #listOf = new Map<string, number>();

  add(members: readonly string[]): void {
    const list = this.#parents.push(this.#parents.length) - 1;
    for (const member of members) {
      const other = this.#listOf.get(member);
      if (other === undefined) this.#listOf.set(member, list);
      else this.#parents[this.#rootOf(list)] = this.#rootOf(other);
    }
  }

  async all(): Promise<string[][]> {
    const lists = new Map<number, string[]>();
    await forEachInSlices(this.#listOf, ([member, list]) => {
      const root = this.#rootOf(list);
      const members = lists.get(root);
      if (members === undefined) lists.set(root, [member]);
      else members.push(member);
    });
    return [...lists.values()];
  }

  #rootOf(list: number): number {
    let root = list;
    for (let up = this.#parents[root]; up !== undefined && up !== root; up = this.#parents[root]) {
      root = up;
    }
    // Make each list on the way point directly at the root, so that the next search takes one step.
    for (let at = list; at !== root; ) {
      const up = this.#parents[at] ?? root;
      this.#parents[at] = root;
      at = up;
    }
    return root;
  }
}
