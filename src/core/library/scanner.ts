import {
  type FoundFile,
  type IdentifiedFile,
  type LibraryRoot,
  type Method,
  methods,
} from './library-file.ts';
import { type Evidence, lookUpOf, matchFile } from './match.ts';
import type { Disk, LibraryRecords, StoredScan } from './ports.ts';
import { walkRoot } from './walk-root.ts';

/** Files that are stored together: what a stop can lose at most is that much reading of headers. */
const filesPerBatch = 50;
/** Headers that are read at a time. */
const readsAtOnce = 8;

export interface ScanProgress {
  readonly phase: 'identify' | 'hash';
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly file: string;
}

export interface ScanReport {
  readonly files: number;
  readonly recognised: Readonly<Record<Method, number>>;
  readonly unknown: number;
  readonly unreadable: readonly { path: string; reason: string }[];
  /** Roots of which nothing could be said; nothing below them was touched. */
  readonly problems: readonly { root: string; reason: string }[];
  readonly looked: number;
  readonly moved: number;
  readonly gone: number;
  readonly hashed: number;
}

export interface ScanOptions {
  readonly roots: readonly LibraryRoot[];
  readonly hash: boolean;
  /** Looks at every file again, also at unchanged ones. */
  readonly full: boolean;
  /** Also forgets what lay below roots that are missing or empty. */
  readonly forget: boolean;
  /** Files that are hashed at a time. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
}

/** Brings what is known of the library to what lies on the disks: identity first, hashes second. */
export class LibraryScanner {
  readonly #disk: Disk;
  readonly #records: LibraryRecords;

  constructor(parts: { disk: Disk; records: LibraryRecords }) {
    this.#disk = parts.disk;
    this.#records = parts.records;
  }

  /** Throws the signal's reason when it is aborted; what was found until then is kept. */
  async scan(options: ScanOptions): Promise<ScanReport> {
    const unreadable: { path: string; reason: string }[] = [];
    const problems: { root: string; reason: string }[] = [];
    const sums = { looked: 0, moved: 0, gone: 0, hashed: 0 };
    for (const root of options.roots) {
      const changes = await walkRoot(root, {
        disk: this.#disk,
        records: this.#records,
        full: options.full,
        signal: options.signal,
      });
      unreadable.push(...changes.unreadable);
      if (changes.problem !== null) {
        problems.push({ root: root.path, reason: changes.problem });
        if (options.forget) sums.gone += await this.#forgetRoot(root);
        continue;
      }
      await this.#records.move(changes.moved);
      await this.#records.forget(changes.gone.map((file) => file.id));
      sums.moved += changes.moved.length;
      sums.gone += changes.gone.length;
      sums.looked += await this.#identifyAll(root, changes.changed, options, unreadable);
      await this.#records.markScanned(root);
    }
    await this.#rematchIfNeeded(options.roots, sums.moved > 0);
    if (options.hash) sums.hashed = await this.#hashAll(options, unreadable);
    return { ...(await this.#tally(options.roots)), unreadable, problems, ...sums };
  }

  async #forgetRoot(root: LibraryRoot): Promise<number> {
    const known = await this.#records.knownFiles(root);
    await this.#records.forget([...known.values()].map((file) => file.id));
    return known.size;
  }

  async #identifyAll(
    root: LibraryRoot,
    changed: readonly FoundFile[],
    { signal, onProgress }: ScanOptions,
    unreadable: { path: string; reason: string }[],
  ): Promise<number> {
    const bytes = changed.reduce((sum, file) => sum + file.size, 0);
    let bytesDone = 0;
    let filesDone = 0;
    for (let start = 0; start < changed.length; start += filesPerBatch) {
      signal.throwIfAborted();
      const batch = changed.slice(start, start + filesPerBatch);
      const identified = await mapAtMost(readsAtOnce, batch, (file) =>
        this.#identify(file, unreadable),
      );
      const readable = identified.filter((file) => file !== null);
      await this.#records.save(root, await this.#matchAll(readable));
      filesDone += batch.length;
      bytesDone += batch.reduce((sum, file) => sum + file.size, 0);
      const file = batch.at(-1)?.path ?? '';
      onProgress({ phase: 'identify', files: changed.length, filesDone, bytes, bytesDone, file });
    }
    return filesDone;
  }

  async #identify(
    file: FoundFile,
    unreadable: { path: string; reason: string }[],
  ): Promise<IdentifiedFile | null> {
    try {
      return { ...file, identity: await this.#disk.identify(file.path), hashes: null };
    } catch (error) {
      unreadable.push({ path: file.path, reason: (error as Error).message });
      return null;
    }
  }

  async #matchAll(files: readonly IdentifiedFile[]): Promise<StoredScan[]> {
    const evidence = await this.#records.evidenceFor(files.map(lookUpOf));
    return files.map((file, index) => {
      const found = evidence[index] as Evidence;
      return { file, match: matchFile(file, found), evidence: explain(file, found) };
    });
  }

  /** After an import, an edit or a rename every file is matched again, from what is known of it; none is opened. */
  async #rematchIfNeeded(roots: readonly LibraryRoot[], hasNewNames: boolean): Promise<void> {
    const version = await this.#records.catalogueVersion();
    if (!hasNewNames && version === (await this.#records.matchedVersion())) return;
    for (const root of roots) {
      let after = '';
      for (;;) {
        const files = await this.#records.filesAfter([root], after, 500);
        if (files.length === 0) break;
        await this.#records.save(root, await this.#matchAll(files));
        after = files.at(-1)?.path ?? '';
      }
    }
    await this.#records.setMatchedVersion(version);
  }

  async #hashAll(
    options: ScanOptions,
    unreadable: { path: string; reason: string }[],
  ): Promise<number> {
    const { signal, onProgress } = options;
    const waiting: { root: LibraryRoot; file: IdentifiedFile }[] = [];
    for (const root of options.roots) {
      const files = await this.#records.unhashed([root], '', Number.MAX_SAFE_INTEGER);
      waiting.push(...files.map((file) => ({ root, file })));
    }
    const bytes = waiting.reduce((sum, { file }) => sum + file.size, 0);
    let bytesDone = 0;
    let filesDone = 0;
    await mapAtMost(options.jobs, waiting, async ({ root, file }) => {
      signal.throwIfAborted();
      const tell = () =>
        onProgress({
          phase: 'hash',
          files: waiting.length,
          filesDone,
          bytes,
          bytesDone,
          file: file.path,
        });
      try {
        const hashes = await this.#disk.hash(file.path, file.identity, {
          signal,
          onBytes(count) {
            bytesDone += count;
            tell();
          },
        });
        await this.#records.save(root, await this.#matchAll([{ ...file, hashes }]));
        filesDone += 1;
        tell();
      } catch (error) {
        signal.throwIfAborted();
        unreadable.push({ path: file.path, reason: (error as Error).message });
      }
    });
    return filesDone;
  }

  async #tally(roots: readonly LibraryRoot[]) {
    const recognised = Object.fromEntries(methods.map((method) => [method, 0])) as Record<
      Method,
      number
    >;
    let files = 0;
    let unknown = 0;
    for (const [method, count] of await this.#records.countByMethod(roots)) {
      files += count;
      if (method === null) unknown += count;
      else recognised[method] += count;
    }
    return { files, recognised, unknown };
  }
}

/** What was read and what it pointed at, in few words. */
function explain(file: IdentifiedFile, evidence: Evidence): object {
  const pointedAt = methods.flatMap((method) => {
    const ids = evidence[method].slice(0, 20).map((candidate) => candidate.releaseId);
    return ids.length === 0 ? [] : [[method, ids]];
  });
  return { read: file.identity.evidence, pointedAt: Object.fromEntries(pointedAt) };
}

async function mapAtMost<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const lanes = Array.from({ length: Math.min(most, items.length) }, async () => {
    for (;;) {
      const index = next;
      next += 1;
      if (index >= items.length) return;
      results[index] = await work(items[index] as T);
    }
  });
  await Promise.all(lanes);
  return results;
}
