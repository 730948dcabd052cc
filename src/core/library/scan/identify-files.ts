import { forEachAtMost } from '../../shared/concurrency/for-each-at-most.ts';
import { Limiter } from '../../shared/concurrency/limiter.ts';
import { areHashesOutdated, manyMembers } from '../container-kinds.ts';
import { DamagedImage, DiskFailure } from '../file-failures.ts';
import type { Identity } from '../identity.ts';
import type { FoundFile, IdentifiedFile, LibraryRoot, ScannedFile } from '../library-file.ts';
import { matchFiles } from '../match/match-files.ts';
import type { CatalogueEvidence, Disk, ScannedFiles, ScanStore } from '../ports.ts';
import type { MatchChanges } from './match-changes.ts';
import type { ScanProblems } from './scan-problems.ts';
import type { ScanOptions } from './scan-report.ts';

/**
 * Maximum number of files that are identified or saved concurrently. If the process is killed, the
 * work on at most this number of files is lost.
 */
const maxConcurrentFiles = 16;

/**
 * Runs the first pass of a scan: identifies each file and stores the result at once. Returns the
 * number of files processed. With `areKnown`, hashes that are already stored for the same size and
 * time are retained.
 */
export async function identifyFiles(
  changed: readonly { root: LibraryRoot; files: readonly FoundFile[] }[],
  parts: {
    disk: Disk;
    scanned: ScannedFiles;
    store: ScanStore;
    catalogue: CatalogueEvidence;
    scanProblems: ScanProblems;
    matchChanges: MatchChanges;
  },
  {
    areKnown,
    signal,
    onProgress,
  }: Pick<ScanOptions, 'signal' | 'onProgress'> & { areKnown: boolean },
): Promise<number> {
  const { scanned, store, catalogue, matchChanges } = parts;
  const all = changed.flatMap(({ files }) => files);
  const bytes = all.reduce((sum, file) => sum + file.size, 0);
  let bytesDone = 0;
  let filesDone = 0;
  const oneByOne = new Limiter(1);
  for (const { root, files } of changed) {
    const save = async (group: readonly IdentifiedFile[]) => {
      const known = areKnown ? await storedOf(scanned, root, group) : new Map();
      const ready = group.map((file) => withStoredHashes(file, known.get(file.path)));
      const scans = await matchFiles(catalogue, ready);
      await store.save(root, scans);
      for (const { file, match } of scans) {
        const before = known.get(file.path)?.releaseId ?? null;
        matchChanges.record(file.path, before, match?.releaseId ?? null);
      }
    };
    const saves = new GroupedSaves<IdentifiedFile>(async (group) => {
      for (const part of inPartsByMembers(group)) await save(part);
    });
    await forEachAtMost(maxConcurrentFiles, files, async (file) => {
      signal.throwIfAborted();
      let leave: (() => void) | undefined;
      const beforeMany = async () => {
        leave ??= await oneByOne.acquire();
      };
      try {
        const identified = await identify(file, parts, beforeMany);
        if (identified !== null) await saves.add(identified);
      } finally {
        leave?.();
      }
      filesDone += 1;
      bytesDone += file.size;
      const { path } = file;
      onProgress({ phase: 'identify', files: all.length, filesDone, bytes, bytesDone, file: path });
    });
  }
  return filesDone;
}

/**
 * Divides files into parts with at most `manyMembers` archive members, to limit the number of
 * records that are looked up and stored at once. A single archive is not divided.
 */
function inPartsByMembers(group: readonly IdentifiedFile[]): IdentifiedFile[][] {
  const parts: IdentifiedFile[][] = [];
  let members = Infinity;
  for (const file of group) {
    members += file.identity.members.length;
    if (members > manyMembers) {
      parts.push([]);
      members = file.identity.members.length;
    }
    parts.at(-1)?.push(file);
  }
  return parts;
}

/**
 * Identifies a file. If the file cannot be read, records the reason in `scanProblems` and returns
 * null.
 */
async function identify(
  file: FoundFile,
  { disk, scanProblems }: { disk: Disk; scanProblems: ScanProblems },
  beforeMany: () => Promise<void>,
): Promise<IdentifiedFile | null> {
  try {
    const identity = await disk.identify(file.path, beforeMany);
    if (identity.problem !== null) scanProblems.addDamaged(file.path, identity.problem);
    return { ...file, identity, reader: disk.readerOf(identity), hashes: null };
  } catch (error) {
    if (!(error instanceof DiskFailure || error instanceof DamagedImage)) throw error;
    scanProblems.addUnreadable(file.path, error.message);
    return null;
  }
}

async function storedOf(
  scanned: ScannedFiles,
  root: LibraryRoot,
  files: readonly IdentifiedFile[],
): Promise<Map<string, ScannedFile>> {
  const stored = await scanned.filesAt(
    root,
    files.map((file) => file.path),
  );
  return new Map(stored.map((file) => [file.path, file]));
}

/**
 * Adds two values that are stored for the same size and time: the release that an editor chose, and
 * the hashes. Hashes are not added if this version of the program would hash more of the file.
 */
function withStoredHashes(file: IdentifiedFile, old: ScannedFile | undefined): IdentifiedFile {
  const isSame = old?.size === file.size && old.mtimeNs === file.mtimeNs;
  if (!isSame) return file;
  const { chosen } = old;
  if (areHashesOutdated(file, old)) return { ...file, chosen };
  return {
    ...file,
    chosen,
    hashes: old.hashes,
    identity: withUnpackedDetails(file.identity, old.identity),
  };
}

/**
 * Completes the new identity of an unchanged file. Copies values that only unpacking can reveal
 * from the identity of an earlier scan.
 */
function withUnpackedDetails(read: Identity, before: Identity): Identity {
  const tracks = before.tracks.length > 0 ? before.tracks : read.tracks;
  const { forms } = before;
  const wasUnpacked = before.members.some((member) => member.hashes);
  if (!wasUnpacked) return { ...read, tracks, forms };
  const { members, imageSize, disc, serial, edition, title, evidence, problem } = before;
  const { statedImage } = before;
  if (read.disc !== null) return { ...read, tracks, forms, members };
  return {
    ...read,
    tracks,
    forms,
    members,
    imageSize,
    disc,
    serial,
    edition,
    title,
    ...(statedImage && { statedImage }),
    evidence,
    problem,
  };
}

/**
 * Saves items in groups, one group at a time. Items that are added during a save are saved together
 * in the next group. No item waits for a timer, and items that are added in quick succession share
 * a commit.
 */
class GroupedSaves<T> {
  readonly #save: (group: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  /**
   * The next save, which has not started yet and will include all queued items. Null if no item is
   * queued.
   */
  #next: Promise<void> | null = null;
  /**
   * The newest save, which is running, ended or not started yet. The next save starts after this
   * save.
   */
  #last: Promise<void> = Promise.resolve();

  constructor(save: (group: readonly T[]) => Promise<void>) {
    this.#save = save;
  }

  /**
   * Adds an item. Resolves when the item is saved. Rejects if the save of the item's group fails.
   */
  add(item: T): Promise<void> {
    this.#waiting.push(item);
    if (this.#next === null) this.#last = this.#next = this.#saveAfter(this.#last);
    return this.#next;
  }

  async #saveAfter(last: Promise<void>): Promise<void> {
    await last.catch(() => undefined);
    const group = this.#waiting;
    this.#waiting = [];
    this.#next = null;
    await this.#save(group);
  }
}
