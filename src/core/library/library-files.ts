import { Slices } from '../shared/concurrency/slices.ts';
import { invalidField, notFound } from '../shared/errors.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { checkWords, isUnsearchable } from '../shared/search-text.ts';
import { type AlikeChoices, findAlike } from './alike-choices.ts';
import { isFirstPart } from './container-kinds.ts';
import type { LibraryRoot, ScannedFile } from './library-file.ts';
import type { Candidate } from './match/candidate.ts';
import { canonicalName, canonicalSheet } from './match/canonical-name.ts';
import { lookupKeysOf } from './match/lookup-keys.ts';
import type { LibraryRecords } from './ports.ts';
import { MatchChanges } from './scan/match-changes.ts';
import { matchAgain, matchSets } from './sets/match-changed-sets.ts';
import { romOf } from './sets/match-member.ts';
import { discsOf } from './sets/set-discs.ts';
import type {
  ExplainedFile,
  FileCounts,
  FileFilter,
  FilePlace,
  FilesChoice,
  KnownRoot,
  ShownFile,
} from './shown-files.ts';

type Records = Pick<LibraryRecords, 'files' | 'scanned' | 'store' | 'catalogue'>;

/**
 * Returns the error for a release id that does not exist. The API description of a route also
 * contains the message of this error.
 */
export const unknownRelease = (id: number | string) =>
  invalidField('release_id', `there is no release ${id}`);

/** Lists and explains the files of the library, and lets editors choose releases for them. */
export class LibraryFiles {
  readonly #records: Records;
  readonly #roots: readonly LibraryRoot[];

  /** `roots` are this server's roots, including roots that were not scanned yet. */
  constructor(parts: { records: Records; roots: readonly LibraryRoot[] }) {
    this.#records = parts.records;
    this.#roots = parts.roots;
  }

  /**
   * Returns a page of the files that pass the filter. Throws a 422 if the search has too many
   * words.
   */
  async list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]> {
    return matchesNothing(filter) ? [] : this.#records.files.list(filter, page);
  }

  /** Counts the files that pass the filter, by state. Throws the same errors as `list`. */
  async count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts> {
    return matchesNothing(filter) ? none : this.#records.files.count(filter);
  }

  /** Throws `not found` if no file has this id. */
  async mustExist(id: number): Promise<void> {
    foundOrThrow(await this.#records.files.findPlace(id));
  }

  /** Returns a file with its evidence. Throws `not found` if no file has this id. */
  async get(id: number): Promise<ExplainedFile> {
    return foundOrThrow(await this.#records.files.find(id));
  }

  /** Returns this server's roots and all roots of earlier scans, ordered by path. */
  async roots(): Promise<KnownRoot[]> {
    const before = await this.#records.files.roots();
    const unseen = this.#roots
      .filter(({ path }) => before.every((root) => root.path !== path))
      .map((root) => ({ ...root, scannedAt: null, files: 0, problem: null }));
    return [...before, ...unseen].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Assigns the release that an editor chose to a file. Also assigns the release to other files of
   * the same disc that currently have the same release as the file. The choice is valid until the
   * file changes. If `releaseId` is null, the choice is withdrawn, and evidence decides again.
   * Throws `not found` for an unknown file, and a 422 for an unknown release.
   */
  async choose(id: number, releaseId: number | null, actor: Actor): Promise<void> {
    await this.#choose([{ id, releaseId }], actor, () => true);
  }

  /**
   * Makes several choices in one transaction, each like `choose`. Skips files that have a release
   * by now. A withdrawal skips files without a choice. Returns the ids of the files that were
   * chosen or withdrawn. Throws the same errors as `choose`.
   */
  chooseAll(
    choices: readonly { id: number; releaseId: number | null }[],
    actor: Actor,
  ): Promise<number[]> {
    return this.#choose(choices, actor, (file) => file.releaseId === null);
  }

  /**
   * Returns the rules by which an editor may have chosen the release `chosen` instead of `others`,
   * with the undecided files that each rule decides too. Throws a 422 for an unknown release.
   */
  async findAlike(choice: {
    chosen: number;
    others: readonly number[];
  }): Promise<readonly AlikeChoices[]> {
    const found = await findAlike(this.#records.files, choice);
    if (found === null) throw invalidField('others', 'there is no such release');
    return found;
  }

  /** Chooses releases. Skips a file unless `mayChoose` accepts all files of the same disc. */
  async #choose(
    requested: readonly { id: number; releaseId: number | null }[],
    actor: Actor,
    mayChoose: (file: ScannedFile) => boolean,
  ): Promise<number[]> {
    const slices = new Slices();
    const releases = new Map<number, Candidate | null>();
    const choices: (FilesChoice & { place: FilePlace })[] = [];
    for (const { id, releaseId } of requested) {
      const place = foundOrThrow(await this.#records.files.findPlace(id));
      const found = await this.#filesOfSameDisc(place);
      if (releaseId === null) {
        const chosen = found.filter((file) => file.chosen !== undefined);
        const files = chosen.map((file) => ({ file, canonical: null }));
        if (files.length > 0) choices.push({ root: place.root, files, id, releaseId, place });
        continue;
      }
      const known = releases.get(releaseId);
      const release = known ?? (await this.#records.catalogue.candidate(releaseId));
      if (release === null) throw unknownRelease(releaseId);
      releases.set(releaseId, release);
      if (!found.every(mayChoose)) continue;
      const files: FilesChoice['files'][number][] = [];
      for (const file of found) {
        if (slices.isOver) await slices.next();
        files.push({ file, canonical: await nameFor(file, release, slices) });
      }
      choices.push({ root: place.root, files, id, releaseId, place });
    }
    if (choices.length === 0) return [];
    const made = await this.#records.files.choose(choices, actor);
    for (const { place, files, releaseId } of choices) {
      // If the process ends before the files are matched again, the next scan matches them.
      if (releaseId === null)
        await this.#matchAgain(
          place,
          files.map(({ file }) => file.path),
        );
    }
    return made;
  }

  async #matchAgain({ root, setKey }: FilePlace, paths: readonly string[]): Promise<void> {
    const records = { ...this.#records, matchChanges: new MatchChanges() };
    if (setKey === null || setKey === '') {
      return matchAgain(await this.#records.scanned.filesAt(root, paths), root, records);
    }
    const others = await this.#records.scanned.pathsInSet(root, setKey);
    const all = [...new Set([...paths, ...others])].sort();
    await matchSets([{ key: setKey, paths: all }], root, records);
  }

  /**
   * Returns the file, followed by the files of the same disc that have the same release. If the
   * file belongs to several discs or to no disc, returns only the file.
   */
  async #filesOfSameDisc({ root, path, setKey }: FilePlace): Promise<ScannedFile[]> {
    const { scanned } = this.#records;
    const isInSet = setKey !== null && setKey !== '';
    const paths = isInSet ? await scanned.pathsInSet(root, setKey) : [path];
    const files = await scanned.filesAt(root, [...new Set([path, ...paths])]);
    const file = files.find((one) => one.path === path);
    if (file === undefined) throw notFound();
    const { discs: all } = await discsOf(files.map((one) => ({ file: one })));
    const discs = all
      .map(({ sheet, tracks }) => [...(sheet ? [sheet] : []), ...tracks])
      .filter((disc) => disc.some((one) => one.file === file));
    const [only, ...more] = discs;
    if (only === undefined || more.length > 0) return [file];
    const others = only
      .map((one) => one.file)
      .filter((one) => one !== file && haveSameRelease(one, file));
    return [file, ...others];
  }
}

/** Returns true if both files have the same release, or if both have no release. */
function haveSameRelease(one: ScannedFile, other: ScannedFile): boolean {
  return one.releaseId === other.releaseId;
}

/**
 * Returns the name that a file should have if it contains this release. Returns null if the name is
 * unknown.
 */
async function nameFor(
  file: ScannedFile,
  release: Candidate,
  slices: Slices,
): Promise<string | null> {
  const lookupKeys = lookupKeysOf(file);
  const isSheet = file.identity.sheet.length > 0 && !isFirstPart(file);
  if (isSheet) return canonicalSheet(release, 'name', lookupKeys, slices);
  const own = romOf({ file, lookupKeys }, release);
  if (own !== null || (file.setKey !== null && file.setKey !== '')) return own;
  return canonicalName(release, 'serial', lookupKeys, slices);
}

const none: FileCounts = { matched: 0, 'by-name': 0, ambiguous: 0, unknown: 0, damaged: 0 };

function matchesNothing({ search, system }: Omit<FileFilter, 'state'>): boolean {
  checkWords(search);
  return isUnsearchable(search) || isUnsearchable(system);
}

function foundOrThrow<T>(found: T | null): T {
  if (found === null) throw notFound();
  return found;
}
