import { filterInSlices, forEachInSlices } from '../../shared/concurrency/slices.ts';
import type { LibraryRoot, ScannedFile } from '../library-file.ts';
import { type LookedUpFile, lookUpFiles } from '../match/looked-up-files.ts';
import { explain, matchFiles } from '../match/match-files.ts';
import type {
  CatalogueEvidence,
  KnownFiles,
  ScannedFiles,
  ScanStore,
  StoredMatch,
} from '../ports.ts';
import type { MatchChanges } from '../scan/match-changes.ts';
import { tracksToHash } from './expected-tracks.ts';
import { type FileSet, groupSets } from './file-sets.ts';
import type { SetVerdict } from './match-member.ts';
import { matchSet } from './match-set.ts';

/** Number of files that are looked up or stored at once. */
const filesPerBatch = 500;

const unmatched: SetVerdict = { match: null, tied: [], why: [] };

interface Records {
  readonly known: KnownFiles;
  readonly scanned: ScannedFiles;
  readonly store: ScanStore;
  readonly catalogue: CatalogueEvidence;
  readonly matchChanges: Pick<MatchChanges, 'record'>;
}

/**
 * Matches the sets of files below a root, without opening files. With `all`, every set is matched.
 * Without `all`, only sets that changed since they were last matched are matched. Files that no
 * longer belong to a set are matched alone. If nothing changed since the last call, only the state
 * of the root is read.
 */
export async function matchChangedSets(
  root: LibraryRoot,
  records: Records,
  { all, signal }: { all: boolean; signal: AbortSignal },
): Promise<void> {
  const { scanned, store } = records;
  const state = await scanned.stateOf(root);
  if (state.areSetsMatched && !all) return;
  const sheets = await scanned.sheets(root);
  const paths: string[] = [];
  for await (const page of records.known.pages(root)) {
    for (const { path } of page) paths.push(path);
  }
  const keys = await scanned.setKeys(root);
  const sets = await groupSets(paths, sheets);
  const isWaiting = (set: FileSet) => all || set.paths.some((path) => keys.get(path) !== set.key);
  const waiting = await filterInSlices(sets, isWaiting);
  for (const batch of batchesOf(waiting)) {
    signal.throwIfAborted();
    await matchSets(batch, root, records);
  }
  await forEachInSlices(sets, ({ paths: members }) => {
    for (const path of members) keys.delete(path);
  });
  const left = [...keys.keys()];
  for (const some of inBatches(left)) {
    signal.throwIfAborted();
    await matchAgain(await scanned.filesAt(root, some), root, records);
  }
  // The matches that this run stored also changed the state of the root. So only a run that finds
  // nothing to match marks the sets of the root as matched.
  if (waiting.length + left.length === 0) await store.markSetsMatched(root, state.version);
}

/** Matches each set as a whole, and stores the matches. */
export async function matchSets(
  sets: readonly FileSet[],
  root: LibraryRoot,
  { scanned, store, catalogue, matchChanges }: Omit<Records, 'known'>,
): Promise<void> {
  const byPath = new Map<string, LookedUpFile<ScannedFile>>();
  for (const paths of inBatches(sets.flatMap(({ paths }) => paths))) {
    const lookedUp = await lookUpFiles(catalogue, await scanned.filesAt(root, paths));
    for (const one of lookedUp) byPath.set(one.file.path, one);
  }
  const matches: StoredMatch[] = [];
  for (const { key, paths } of sets) {
    const members = paths.flatMap((path) => byPath.get(path) ?? []);
    const verdicts = await matchSet(members);
    const expected = await tracksToHash(members);
    await forEachInSlices(members, (member) => {
      const { decidedBy, ...verdict } = verdicts.get(member.file.path) ?? unmatched;
      const evidence = {
        ...explain(member, verdict),
        ...(decidedBy !== undefined && { decidedBy }),
      };
      const tracks = expected.get(member);
      matches.push({
        file: member.file,
        ...verdict,
        evidence,
        setKey: key,
        ...(tracks && { tracks }),
      });
    });
  }
  for (const some of inBatches(matches)) await save(some, root, { store, matchChanges });
}

/**
 * Matches each file alone, and stores the matches. Skips a file whose record has changed since it
 * was read.
 */
export async function matchAgain(
  files: readonly ScannedFile[],
  root: LibraryRoot,
  { store, catalogue, matchChanges }: Omit<Records, 'known' | 'scanned'>,
): Promise<void> {
  const scans = await matchFiles(catalogue, files);
  const matches = scans.map((scan, index) => ({
    ...scan,
    file: files[index] as ScannedFile,
    setKey: null,
  }));
  await save(matches, root, { store, matchChanges });
}

async function save(
  matches: readonly StoredMatch[],
  root: LibraryRoot,
  { store, matchChanges }: Pick<Records, 'store' | 'matchChanges'>,
): Promise<void> {
  await store.saveMatches(root, matches);
  for (const { file, match } of matches) {
    matchChanges.record(file.path, file.releaseId, match?.releaseId ?? null);
  }
}

function* inBatches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += filesPerBatch) {
    yield items.slice(start, start + filesPerBatch);
  }
}

/**
 * Groups sets into batches of at most `filesPerBatch` files. A larger set forms a batch of its own.
 */
function batchesOf(sets: readonly FileSet[]): FileSet[][] {
  const batches: FileSet[][] = [];
  let files = filesPerBatch;
  for (const set of sets) {
    if (files + set.paths.length > filesPerBatch) {
      batches.push([]);
      files = 0;
    }
    batches.at(-1)?.push(set);
    files += set.paths.length;
  }
  return batches;
}
