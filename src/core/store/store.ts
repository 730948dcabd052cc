import type { Clock } from '../shared/clock.ts';
import { forEachAtMost } from '../shared/concurrency/for-each-at-most.ts';
import { archiveExists, archiveTooLarge, insufficientStorage, notFound } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StagedFile, StoredFile } from '../shared/files/file-area.ts';
import type { FileVersion } from '../shared/files/file-change.ts';
import type { FileChanges } from '../shared/files/file-changes.ts';
import { findVersion } from '../shared/files/find-version.ts';
import { limitBytes } from '../shared/files/limit-bytes.ts';
import { recordedSha256 } from '../shared/files/recorded-sha256.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { PartRevision } from '../shared/requests/part-revision.ts';
import { compareByCodePoint } from '../shared/text.ts';
import { archiveStem, type ReleaseNames, stemsLike } from './archive-name.ts';
import { ArchiveNames } from './archive-names.ts';
import { type Area, areas } from './area.ts';
import type { ArchiveChange, MatchingRelease, NearName, StoreRecords } from './ports.ts';

/** Stores the archives that users can download, in two areas. */
export class Store {
  readonly #areas: Readonly<Record<Area, FileArea>>;
  readonly #names: Readonly<Record<Area, ArchiveNames>>;
  readonly #records: StoreRecords;
  readonly #changes: FileChanges<ArchiveChange>;
  /** Maximum size of an archive in bytes; undefined for no limit. */
  readonly #maxArchiveBytes: number | undefined;

  constructor(parts: {
    areas: Readonly<Record<Area, FileArea>>;
    records: StoreRecords;
    changes: FileChanges<ArchiveChange>;
    maxArchiveBytes: number | undefined;
    clock: Clock;
    /** Provides a number that changes whenever this program changes an archive. */
    revision: PartRevision;
  }) {
    const { clock, revision } = parts;
    this.#areas = parts.areas;
    this.#names = {
      games: new ArchiveNames({ area: parts.areas.games, clock, revision }),
      videos: new ArchiveNames({ area: parts.areas.videos, clock, revision }),
    };
    this.#records = parts.records;
    this.#changes = parts.changes;
    this.#maxArchiveBytes = parts.maxArchiveBytes;
  }

  /** Returns all archives of an area, ordered by name (code point). */
  async list(area: Area): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for await (const file of this.#areas[area].list()) files.push(file);
    return files.sort((a, b) => compareByCodePoint(a.name, b.name));
  }

  /**
   * Returns one page of the archives whose names contain every word of `search`, ordered by name.
   * `total` is the number of all matching names. An archive that is added or removed shows within a
   * second. Symbolic links are checked only when the area is listed again, after a name is added or
   * removed.
   */
  async listPage(
    area: Area,
    search: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ files: StoredFile[]; total: number }> {
    const names = (await this.#names[area].list()).find(search);
    return {
      files: await this.#find(area, names.slice(offset, offset + limit)),
      total: names.length,
    };
  }

  /**
   * Returns archives that were stored with this size in bytes and still have this size, ordered by
   * name; at most 100.
   */
  async listBySize(area: Area, size: number): Promise<StoredFile[]> {
    const names = await this.#records.listBySize(area, size);
    return (await this.#find(area, names)).filter((file) => file.size === size);
  }

  /**
   * Returns the recorded SHA-256 of each of these files, by name. Files that have changed since
   * they were stored are absent.
   */
  findChecksums(area: Area, files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>> {
    return this.#records.findChecksums(area, files);
  }

  /**
   * Returns, by file name, the release whose name fits each of these files (see `stemsLike`). Files
   * without such a release are absent.
   */
  async findReleases(files: readonly StoredFile[]): Promise<ReadonlyMap<string, MatchingRelease>> {
    const found = new Map<string, MatchingRelease>();
    const near = (text: string) => this.#records.namesNear(text);
    await forEachAtMost(lookupsAtOnce, files, async ({ name }) => {
      const release = await findMatchingRelease(name, near);
      if (release !== null) found.set(name, release);
    });
    return found;
  }

  /**
   * Returns the archives of both areas that are named like a release (see `stemsLike`), ordered by
   * name, then by area.
   */
  async listMatching(release: ReleaseNames): Promise<{ area: Area; file: StoredFile }[]> {
    const stems = stemsLike(release);
    const found: { area: Area; file: StoredFile }[] = [];
    for (const area of areas) {
      for (const name of await this.#names[area].find(stems)) {
        const file = await this.#areas[area].find(name);
        if (file !== null) found.push({ area, file });
      }
    }
    return found.sort((a, b) => compareByCodePoint(a.file.name, b.file.name));
  }

  /**
   * Returns the ids of these releases whose names fit an archive of either area (see `stemsLike`).
   * The files are not checked.
   */
  async findStored(releases: readonly number[]): Promise<ReadonlySet<number>> {
    const stored = new Set<number>();
    if (releases.length === 0 || !(await this.hasAny())) return stored;
    for (const [id, names] of await this.#records.namesOf(releases)) {
      const stems = stemsLike(names);
      for (const area of areas) {
        if ((await this.#names[area].find(stems)).length > 0) stored.add(id);
      }
    }
    return stored;
  }

  /** Opens an archive. The caller must stream or close the returned file. Throws `not found`. */
  async open(area: Area, name: string): Promise<OpenedFile> {
    const file = await this.#areas[area].open(name);
    if (file === null) throw notFound();
    return file;
  }

  /** Returns the SHA-256 of an archive's content, if it is recorded; null otherwise. */
  sha256Of(area: Area, file: StoredFile): Promise<string | null> {
    return recordedSha256(file, (files) => this.#records.findChecksums(area, files));
  }

  /** Records the start of a download. */
  recordDownload(area: Area, file: StoredFile, userId: number | null): void {
    this.#records.recordDownload({ userId, area, name: file.name, bytes: file.size });
  }

  /**
   * Throws `insufficient storage` when the area has no room for this many bytes. Requires at most
   * room for an archive of the maximum size.
   */
  async checkSpace(area: Area, bytes: number): Promise<void> {
    const maxBytes = Math.min(bytes, this.#maxArchiveBytes ?? bytes);
    if (!(await this.#areas[area].hasSpaceFor(maxBytes))) throw insufficientStorage();
  }

  /**
   * Stores bytes in an area without publishing them under a name. Throws `archive too large` or
   * `insufficient storage`.
   */
  stage(area: Area, bytes: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    return this.#areas[area].stage(limitBytes(bytes, this.#maxArchiveBytes, archiveTooLarge));
  }

  /** Returns true if the store has any archive. */
  async hasAny(): Promise<boolean> {
    for (const area of areas) {
      if ((await this.#names[area].list()).names.length > 0) return true;
    }
    return false;
  }

  /** Returns true if the area has an archive of this name. */
  async has(area: Area, name: string): Promise<boolean> {
    return (await this.#areas[area].find(name)) !== null;
  }

  /**
   * Returns true if the area has an archive with this name and content. Reads the whole archive to
   * compare. Throws the signal's reason when aborted.
   */
  async hasVersion(area: Area, version: FileVersion, signal: AbortSignal): Promise<boolean> {
    return (await findVersion(this.#areas[area], version, signal)) !== null;
  }

  /**
   * Publishes staged bytes under a name. If an archive of that name exists, replaces it when
   * `replaces` is set, and throws `archive exists` otherwise. Bytes that are not published are
   * discarded.
   */
  async save(
    area: Area,
    name: string,
    staged: StagedFile,
    actor: Actor,
    { replaces }: { replaces: boolean } = { replaces: true },
  ): Promise<FileVersion> {
    const { size, sha256 } = staged;
    const file = { name, size, sha256 };
    const change = { target: targetOf(area, name), area, file, gone: [] };
    const isWanted = async () => replaces || !(await this.has(area, name));
    if (!(await this.#changes.publish(change, staged, actor, isWanted))) throw archiveExists();
    this.#names[area].invalidate();
    return file;
  }

  /** Removes an archive. Throws `not found`. */
  async remove(area: Area, name: string, actor: Actor): Promise<void> {
    const change = { target: targetOf(area, name), area, file: null, gone: [name] };
    if (!(await this.#changes.remove(change, actor))) throw notFound();
    this.#names[area].invalidate();
  }

  /**
   * Returns the files with these names, in the order of the names. Names without a file are
   * skipped.
   */
  async #find(area: Area, names: readonly string[]): Promise<StoredFile[]> {
    const found = new Map<string, StoredFile>();
    await forEachAtMost(filesAtOnce, names, async (name) => {
      const file = await this.#areas[area].find(name);
      if (file !== null) found.set(name, file);
    });
    return names.flatMap((name) => found.get(name) ?? []);
  }
}

/**
 * Limits of concurrent work for one list: `lookupsAtOnce` database queries, and `filesAtOnce` file
 * lookups.
 */
const lookupsAtOnce = 4;
const filesAtOnce = 64;

function targetOf(area: Area, name: string): string {
  return `store/${area}/${name}`;
}

/** Returns names of releases that are close to a text in code point order. */
type FindNamesNear = (text: string) => Promise<readonly NearName[]>;

/**
 * Returns the release whose name fits an archive (see `stemsLike`). Returns null if there is none.
 * If several releases fit, returns the one with the lowest id.
 *
 * Only names close to the archive's stem in code point order are compared. This suffices, because
 * cleaning does not change the start of a name.
 */
async function findMatchingRelease(
  archive: string,
  namesNear: FindNamesNear,
): Promise<MatchingRelease | null> {
  const stem = archiveStem(archive);
  const fitting = (await namesNear(stem)).filter(({ name, isRom }) => {
    const names = isRom ? { titles: [], roms: [name] } : { titles: [name], roms: [] };
    return stemsLike(names).has(stem);
  });
  return fitting.reduce<MatchingRelease | null>(
    (first, { release }) => (first === null || release.id < first.id ? release : first),
    null,
  );
}
