import { forEachAtMost } from '../../shared/concurrency/for-each-at-most.ts';
import { Limiter } from '../../shared/concurrency/limiter.ts';
import { isPacked, isRestorable, mayHaveManyMembers } from '../container-kinds.ts';
import { DamagedImage, DiskFailure, SpoolDiskFailure } from '../file-failures.ts';
import type { IdentifiedFile, LibraryRoot, ScannedFile } from '../library-file.ts';
import { matchFiles } from '../match/match-files.ts';
import type { CatalogueEvidence, Disk, ScannedFiles, ScanStore } from '../ports.ts';
import { matchSets } from '../sets/match-changed-sets.ts';
import type { MatchChanges } from './match-changes.ts';
import type { ScanProblems } from './scan-problems.ts';
import type { ScanOptions } from './scan-report.ts';

const nameOf = (root: LibraryRoot, { setKey }: SetFile) => `${setKey}:${root.path}`;

const filesPerPage = 1000;

interface Parts {
  readonly disk: Disk;
  readonly scanned: ScannedFiles;
  readonly store: ScanStore;
  readonly catalogue: CatalogueEvidence;
  readonly scanProblems: ScanProblems;
  readonly matchChanges: MatchChanges;
}

/**
 * Runs the second pass of a scan: hashes all files without hashes, or all files with `full`.
 * Returns the number of files hashed. If a file is matched by a hash that its container states, the
 * file is hashed only with `verify` or `full`.
 */
export async function hashFiles(
  roots: readonly LibraryRoot[],
  parts: Parts,
  { jobs, signal, onProgress, ...options }: ScanOptions,
): Promise<number> {
  const waiting = await listFilesToHash(roots, parts, options);
  const files = waiting.length;
  const bytes = waiting.reduce((sum, { file }) => sum + file.bytes, 0);
  const sets = new WaitingSets(waiting);
  const oneByOne = new Limiter(1);
  let bytesDone = 0;
  let filesDone = 0;
  let hashed = 0;
  await forEachAtMost(jobs, waiting, async ({ root, file, mayBeLarge }) => {
    const { path, bytes: own, setKey } = file;
    signal.throwIfAborted();
    const reportProgress = (more: number) => {
      bytesDone += more;
      onProgress({ phase: 'hash', files, filesDone, bytes, bytesDone, file: path });
    };
    let reportedBytes = 0;
    const onBytes = (count: number) => {
      reportedBytes += count;
      reportProgress(count);
    };
    const { verify } = options;
    const work = async () => {
      const [file] = await parts.scanned.filesAt(root, [path]);
      const result = file && (await hash(file, parts, { signal, onBytes, verify }));
      // `hash` returns null if a disk failed. An error of the store is thrown and ends the scan,
      // because such an error does not concern a single file.
      if (!result) return;
      if (setKey === null) await saveAlone(root, result.file, parts);
      else await parts.store.saveHashes(root, result.file);
      if (result.isHashed) hashed += 1;
    };
    await (mayBeLarge ? oneByOne.run(work) : work());
    const whole = sets.completeFile(root, { path, setKey });
    if (whole !== null) {
      const others = await parts.scanned.pathsInSet(root, whole.key);
      const paths = [...new Set([...whole.paths, ...others])].sort();
      const record = (path: string, _: unknown, after: number | null) =>
        parts.matchChanges.update(path, after);
      await matchSets([{ key: whole.key, paths }], root, { ...parts, matchChanges: { record } });
    }
    filesDone += 1;
    reportProgress(own - reportedBytes);
  });
  return hashed;
}

async function saveAlone(
  root: LibraryRoot,
  file: IdentifiedFile,
  { catalogue, store, matchChanges }: Parts,
): Promise<void> {
  const scans = await matchFiles(catalogue, [file]);
  await store.save(root, scans);
  matchChanges.update(file.path, scans[0]?.match?.releaseId ?? null);
}

/**
 * A file that waits to be hashed. The whole record is not included, because the records of many
 * files take much memory. The record is read again when the file is hashed.
 */
interface WaitingFile {
  readonly root: LibraryRoot;
  readonly file: Pick<ScannedFile, 'path' | 'setKey'> & { readonly bytes: number };
  /** True if the file's record may become large when the file is hashed. */
  readonly mayBeLarge: boolean;
}

async function listFilesToHash(
  roots: readonly LibraryRoot[],
  { scanned, scanProblems }: Pick<Parts, 'scanned' | 'scanProblems'>,
  { full, verify = false }: Pick<ScanOptions, 'full' | 'verify'>,
): Promise<WaitingFile[]> {
  const waiting: WaitingFile[] = [];
  for (const root of roots) {
    for (let after = ''; ; ) {
      const page = await scanned.pageAfter(root, after, filesPerPage, {
        only: full ? 'all' : verify ? 'unhashed' : 'unfound',
      });
      if (page.length === 0) break;
      const readable = page.filter((file) => {
        if (scanProblems.isUnreadable(file.path) || !isRestorable(file)) return false;
        return full || !(isKnownDamaged(file) || (isMatchedByStatedHash(file) && !verify));
      });
      for (const file of readable) {
        const { path, setKey } = file;
        const bytes = bytesToRead(file);
        waiting.push({ root, file: { path, setKey, bytes }, mayBeLarge: mayHaveManyMembers(file) });
      }
      after = page.at(-1)?.path ?? '';
    }
  }
  return waiting;
}

/**
 * Returns true if a packed file is known to be damaged. Unpacking such a file would fail again, so
 * the file is skipped until it changes.
 */
function isKnownDamaged(file: IdentifiedFile): boolean {
  return isPacked(file) && file.identity.problem !== null;
}

/**
 * Returns true if a file is matched by the SHA-1 that its container states. No other hash of the
 * file is needed in this case.
 */
function isMatchedByStatedHash({ method, hashes, identity }: ScannedFile): boolean {
  return method === 'sha1' && hashes === null && (identity.sha1 ?? identity.statedSha1) !== null;
}

/**
 * Hashes a file and returns the record to store. The record contains the hashes. If the file is
 * damaged, the record contains the damage as `problem`. If the file's disk or the catalogue's own
 * disk fails, records the failure in `scanProblems` and returns null. The next scan then tries
 * again.
 */
async function hash(
  file: IdentifiedFile,
  { disk, scanProblems }: Pick<Parts, 'disk' | 'scanProblems'>,
  options: Parameters<Disk['hash']>[2],
): Promise<{ file: IdentifiedFile; isHashed: boolean } | null> {
  try {
    const made = await disk.hash(file.path, file.identity, options);
    const { tracks, forms, inside, damage, ...hashes } = made;
    const known = tracks ?? inside?.tracks ?? file.identity.tracks;
    const truth = damage ? { sha1: null, statedSha1: null, problem: damage } : {};
    const identity = { ...file.identity, ...inside, tracks: known, forms, ...truth };
    const problem = damage ?? inside?.problem;
    if (problem) scanProblems.addDamaged(file.path, problem);
    const reader = disk.readerOf(identity);
    return { file: { ...file, identity, reader, hashes }, isHashed: true };
  } catch (error) {
    if (error instanceof SpoolDiskFailure) {
      scanProblems.addPostponed(file.path, error.message);
      return null;
    }
    if (!(error instanceof DiskFailure || error instanceof DamagedImage)) throw error;
    scanProblems.addUnreadable(file.path, error.message);
    if (error instanceof DiskFailure) return null;
    const identity = { ...file.identity, problem: error.message };
    return { file: { ...file, identity }, isHashed: false };
  }
}

/**
 * Returns the number of bytes to hash. For a packed file, this is the size of the image inside; for
 * any other file, the size of the file itself.
 */
function bytesToRead(file: IdentifiedFile): number {
  const { identity, size } = file;
  if (!isPacked(file)) return size;
  const tracks = identity.tracks.reduce((sum, track) => sum + track.size, 0);
  return tracks || (identity.imageSize ?? size);
}

/** The fields of a file record that identify the file and its set. */
type SetFile = Pick<ScannedFile, 'path' | 'setKey'>;

/**
 * The sets that contain files waiting to be hashed. A set is matched when the last of its waiting
 * files is done.
 */
class WaitingSets {
  readonly #sets = new Map<string, { left: number; paths: string[] }>();

  constructor(waiting: readonly { root: LibraryRoot; file: SetFile }[]) {
    for (const { root, file } of waiting) {
      if (file.setKey === null) continue;
      const set = this.#sets.get(nameOf(root, file)) ?? { left: 0, paths: [] };
      set.left += 1;
      set.paths.push(file.path);
      this.#sets.set(nameOf(root, file), set);
    }
  }

  /**
   * Removes a file from its set. Call this method when a file is done, even if the file was not
   * hashed. Returns the set if the file was the last waiting file of the set. Returns null
   * otherwise.
   */
  completeFile(root: LibraryRoot, file: SetFile): { key: string; paths: readonly string[] } | null {
    const set = this.#sets.get(nameOf(root, file));
    if (set === undefined) return null;
    set.left -= 1;
    if (set.left > 0 || !file.setKey) return null;
    this.#sets.delete(nameOf(root, file));
    return { key: file.setKey, paths: set.paths };
  }
}
