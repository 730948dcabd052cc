import { type LibraryRoot, type MatchMethod, matchMethods } from '../library-file.ts';
import type { Disk, LibraryRecords, ScanStore } from '../ports.ts';
import { claimWalked, divideRoots, oneHost, type RootHosts } from '../root-hosts.ts';
import { matchChangedSets } from '../sets/match-changed-sets.ts';
import { isPart } from './changed-parts.ts';
import { compareRoots } from './compare-roots.ts';
import { handOverFiles } from './hand-over.ts';
import { hashFiles } from './hash-files.ts';
import { identifyFiles } from './identify-files.ts';
import { type LibraryChanges, summarize } from './library-changes.ts';
import { MatchChanges } from './match-changes.ts';
import { distinctRoots, innerRoots, type PlacedRoot, placeRoots } from './nested-roots.ts';
import { hasOutdated, listOutdated } from './outdated.ts';
import { matchVersion, rematch } from './rematch.ts';
import { retryingStore } from './retrying-store.ts';
import { ScanProblems } from './scan-problems.ts';
import type { ScanOptions, ScanReport } from './scan-report.ts';
import { type WalkedRoot, walkRoot } from './walk-root.ts';

/**
 * Updates the library records to match the files on the disks. A scan first identifies files, then
 * hashes them.
 */
export class LibraryScanner {
  readonly #disk: Disk;
  readonly #records: Omit<LibraryRecords, 'files'>;
  readonly #hosts: RootHosts;

  constructor(parts: {
    disk: Disk;
    records: Omit<LibraryRecords, 'files'>;
    hosts?: RootHosts | undefined;
  }) {
    this.#disk = parts.disk;
    this.#records = parts.records;
    this.#hosts = parts.hosts ?? oneHost;
  }

  /**
   * Scans the roots. Roots of other hosts are skipped unless `takeOver` is set. Throws the signal's
   * reason if the signal is aborted. Throws busy() if another process writes to the database for
   * too long. After an error, results that were already stored remain stored.
   */
  async scan(options: ScanOptions): Promise<ScanReport> {
    const { signal } = options;
    const scanProblems = new ScanProblems();
    const store = options.retriesWhenBusy
      ? retryingStore(this.#records.store, signal)
      : this.#records.store;
    const matchChanges = new MatchChanges();
    const parts = { ...this.#records, store, disk: this.#disk, scanProblems, matchChanges };

    const { walked, others, handed } = await this.#walkOwn(options, scanProblems, store);
    const roots = walked.map(({ root }) => root);
    const compared = await compareRoots(walked, { ...parts, full: options.full });
    const { changed, moved, gone, staleIds } = compared;
    const forgotten = options.forget
      ? walked.filter(hasProblem).flatMap(({ collectedKnown }) => collectedKnown)
      : [];
    const goneIds = [...gone, ...forgotten].map((file) => file.id);
    await store.move(moved);
    await store.forget([...goneIds, ...staleIds]);
    const { keepsMatches: onlyMoved = false } = options;
    const rematched = await rematch(parts, { roots, moved, onlyMoved, signal });
    const areKnown = options.full;
    const outdated = await listOutdated(changed, walked, parts);
    const looked =
      (await identifyFiles(changed, parts, { ...options, areKnown })) +
      (await identifyFiles(outdated, parts, { ...options, areKnown: true }));
    for (const root of roots) {
      await matchChangedSets(root, parts, { all: rematched.roots.has(root), signal });
    }
    for (const root of rematched.roots) await store.markMatched(root, rematched.version);
    for (const { root } of changed) await store.markScanned(root);
    for (const { root, problem } of walked) {
      if (problem !== null) await store.markProblem(root, problem);
    }
    const present = changed.map(({ root }) => root);
    const hashed = options.hash ? await hashFiles(present, parts, options) : 0;
    for (const root of roots) await matchChangedSets(root, parts, { all: false, signal });

    const failed = walked.filter(hasProblem).map(({ root, problem, knownCount }) => ({
      root: root.path,
      reason: problem ?? '',
      known: knownCount,
    }));
    const problems = [...failed, ...others];
    const sums = { looked, moved: handed + moved.length, gone: goneIds.length, hashed };
    const tally = await this.#tally(roots);
    return { ...tally, ...scanProblems.report(), ...matchChanges.report(), problems, ...sums };
  }

  /**
   * Walks the roots of this host and returns the changes that a scan would make. Opens no file and
   * changes no record. Roots with problems are left out. Throws the signal's reason if the signal
   * is aborted.
   */
  async findChanges(
    options: Pick<ScanOptions, 'roots' | 'isComplete' | 'signal'>,
  ): Promise<LibraryChanges> {
    const { known, scanned, catalogue } = this.#records;
    const { own } = await divideRoots(this.#hosts, options.roots, async () => 0);
    const placed = distinctRoots(await placeRoots(own, this.#disk));
    const requested = { ...options, full: false, forget: false };
    const walked = await this.#walkAll(placed, requested, new ScanProblems());
    const compared = await compareRoots(walked, { known, full: false });
    const outdated = await listOutdated(compared.changed, walked, { disk: this.#disk, scanned });
    const version = matchVersion(await catalogue.version());
    const unmatched: string[] = [];
    for (const { root, problem, knownCount } of walked) {
      if (problem !== null || knownCount === 0) continue;
      if ((await scanned.matchedVersion(root)) !== version) unmatched.push(root.path);
    }
    return summarize({ ...compared, outdated, unmatched, version });
  }

  async #walkOwn(options: ScanOptions, scanProblems: ScanProblems, store: ScanStore) {
    const { roots, takeOver: fromOthers = false, signal } = options;
    const count = async (root: LibraryRoot) => (await this.#tally([root])).files;
    const divided = fromOthers
      ? { own: roots, others: [] }
      : await divideRoots(this.#hosts, roots, count);
    const given = await placeRoots(divided.own, this.#disk);
    const placed = { given, roots: distinctRoots(given) };
    const parts = { ...this.#records, store, hosts: this.#hosts };
    const handed = await handOverFiles(placed, parts, { takeOver: fromOthers, signal });
    const walked = await this.#walkAll(placed.roots, options, scanProblems);
    const taken = await claimWalked(this.#hosts, walked, { fromOthers });
    return { walked: taken.own, others: [...divided.others, ...taken.others], handed };
  }

  /** Walks each root, except the folders of roots inside it. */
  async #walkAll(
    roots: readonly PlacedRoot[],
    { isComplete, ...options }: WalkOptions,
    scanProblems: ScanProblems,
  ): Promise<WalkedRoot[]> {
    const { known, scanned } = this.#records;
    const disk = this.#disk;
    const walked: WalkedRoot[] = [];
    for (const placed of roots) {
      const { root } = placed;
      const except = innerRoots(placed, roots).map(({ folder }) => folder);
      const collectsAll =
        options.full || options.forget || (await hasOutdated(root, { disk, scanned }));
      const mustCollect = collectsAll ? () => true : isPart;
      const one = await walkRoot(root, {
        disk,
        known,
        mustCollect,
        isComplete,
        except,
        signal: options.signal,
      });
      for (const { path, reason } of one.unreadable) scanProblems.addUnreadable(path, reason);
      walked.push(one);
    }
    return walked;
  }

  async #tally(roots: readonly LibraryRoot[]) {
    const none = Object.fromEntries(matchMethods.map((method) => [method, 0]));
    const recognised = none as Record<MatchMethod, number>;
    let files = 0;
    let unknown = 0;
    for (const [method, count] of await this.#records.list.countByMethod(roots)) {
      files += count;
      if (method === null) unknown += count;
      else recognised[method] += count;
    }
    const tied = await this.#records.list.countTied(roots);
    const inSets = await this.#records.list.countInSets(roots);
    return { files, recognised, inSets, unknown, tied };
  }
}

type WalkOptions = Pick<ScanOptions, 'isComplete' | 'full' | 'forget' | 'signal'>;

const hasProblem = (walked: WalkedRoot) => walked.problem !== null;
