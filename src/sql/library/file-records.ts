import type { LibraryRoot } from '../../core/library/library-file.ts';
import type {
  DistinguishedRelease,
  ExplainedFile,
  FileCounts,
  FileFilter,
  FilePlace,
  FileRecords,
  FilesChoice,
  KnownRoot,
  ReleasePlace,
  ShownFile,
  UndecidedFile,
} from '../../core/library/shown-files.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Engine } from '../engine/engine.ts';
import { explainFile, findReleasesById } from './explained-file.ts';
import { systemOf, systemValues, unchangedParams, whereUnchanged } from './scan-store.ts';
import { librarySearchText } from './search-text.ts';
import { countFiles, listFiles } from './shown-files.ts';

/** Reads the library files for display, and stores the matches that editors choose for files. */
export class SqlFileRecords implements FileRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  list(filter: FileFilter, page: { limit: number; offset: number }): Promise<ShownFile[]> {
    const { read, longRead } = this.#engine;
    return listFiles(filter.search === '' ? read : longRead, filter, page);
  }

  count(filter: Omit<FileFilter, 'state'>): Promise<FileCounts> {
    return countFiles(this.#engine.longRead, filter);
  }

  find(id: number): Promise<ExplainedFile | null> {
    return explainFile(this.#engine.read, id);
  }

  async findPlace(id: number): Promise<FilePlace | null> {
    const row = await this.#engine.read
      .selectFrom('library_file as file')
      .innerJoin('library_root as root', 'root.id', 'file.root_id')
      .select(['file.path', 'file.set_key', 'root.path as root', 'root.system'])
      .where('file.id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return null;
    // Scans store only valid systems.
    const root = { path: row.root, system: row.system } as LibraryRoot;
    return { root, path: row.path, setKey: row.set_key };
  }

  async roots(): Promise<KnownRoot[]> {
    const { read } = this.#engine;
    const rows = await read
      .selectFrom('library_root as root')
      .select(['root.path', 'root.system', 'root.scanned_at as scannedAt', 'root.problem'])
      .select((from) =>
        from
          .selectFrom('library_file')
          .select(read.fn.countAll<number>().as('count'))
          .whereRef('library_file.root_id', '=', 'root.id')
          .$asScalar()
          .$notNull()
          .as('files'),
      )
      .orderBy('root.path')
      .execute();
    // Scans store only valid systems.
    return rows.map((row) => ({ ...row, system: row.system as LibraryRoot['system'] }));
  }

  async placesOfRelease(releaseId: number): Promise<ReleasePlace[]> {
    const rows = await this.#engine.read
      .selectFrom('library_file as file')
      .innerJoin('library_root as root', 'root.id', 'file.root_id')
      .select(['file.name', 'file.path', 'file.size', 'root.path as root', 'root.system'])
      .where('file.release_id', '=', releaseId)
      .orderBy('file.name')
      .orderBy('file.path')
      .orderBy('file.id')
      .execute();
    return rows.map(({ root, system, ...file }) => {
      // Scans store only valid systems.
      return { ...file, root: { path: root, system: system as LibraryRoot['system'] } };
    });
  }

  async listUndecided(limit: number): Promise<UndecidedFile[]> {
    const rows = await this.#engine.longRead
      .selectFrom('library_file')
      .select(['id', 'name', 'tied'])
      .where('state', '=', 'ambiguous')
      .orderBy('name')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ tied, ...file }) => ({ ...file, tied: JSON.parse(tied ?? '[]') }));
  }

  findReleases(ids: readonly number[]): Promise<Map<number, DistinguishedRelease>> {
    return findReleasesById(this.#engine.longRead, ids);
  }

  async choose(choices: readonly FilesChoice[], actor: Actor): Promise<number[]> {
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, async (trx, author, bulk) => {
      const made: number[] = [];
      for (const choice of choices) {
        const { id, files, releaseId } = choice;
        // `''` marks files that must be matched again, because an editor withdrew the chosen
        // release.
        const setKey = releaseId === null ? `''` : 'set_key';
        const changed = await bulk.run(
          `UPDATE library_file SET release_id = ?, method = ?, canonical = ?, tied = NULL, search = ?, state = ?,
            system = ${systemOf}, set_key = ${setKey} ${whereUnchanged}`,
          chosenParams(choice),
        );
        if (changed === 0) continue;
        const detail = { file: files[0]?.file.name, release: releaseId, files: files.length };
        await recordAudit(trx, at, author, 'library.match', `library/${id}`, detail);
        made.push(id);
      }
      return made;
    });
  }
}

function chosenParams({ root, files, releaseId }: FilesChoice): unknown[][] {
  return files.map(({ file, canonical }) => [
    releaseId,
    releaseId === null ? null : 'manual',
    canonical,
    librarySearchText({ ...file, serial: file.identity.serial }, canonical),
    releaseId === null ? 'unknown' : 'matched',
    ...systemValues(releaseId === null ? null : { releaseId }, root),
    ...unchangedParams(file, root),
  ]);
}
