import type { LibraryRoot } from '../../core/library/library-file.ts';
import type {
  ChosenFile,
  ExplainedFile,
  FileCounts,
  FileFilter,
  FilePlace,
  FileRecords,
  KnownRoot,
  ShownFile,
} from '../../core/library/shown-files.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Engine } from '../engine/engine.ts';
import { explainFile } from './explained-file.ts';
import { countFiles, listFiles } from './listed-files.ts';
import { systemOf, systemValues, unchangedParams, whereUnchanged } from './scan-store.ts';
import { librarySearchText } from './search-text.ts';

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

  async choose(
    root: LibraryRoot,
    files: readonly ChosenFile[],
    { id, releaseId, actor }: { id: number; releaseId: number | null; actor: Actor },
  ): Promise<void> {
    const at = this.#clock.timestamp();
    const method = releaseId === null ? null : 'manual';
    // `''` marks files that must be matched again, because their chosen release was withdrawn.
    const setKey = releaseId === null ? `''` : 'set_key';
    await writeAs(this.#engine, { actor, at }, async (trx, author, bulk) => {
      await bulk.run(
        `UPDATE library_file SET release_id = ?, method = ?, canonical = ?, tied = NULL, search = ?, state = ?,
          system = ${systemOf}, set_key = ${setKey} ${whereUnchanged}`,
        files.map(({ file, canonical }) => [
          releaseId,
          method,
          canonical,
          librarySearchText({ ...file, serial: file.identity.serial }, canonical),
          releaseId === null ? 'unknown' : 'matched',
          ...systemValues(releaseId === null ? null : { releaseId }, root),
          ...unchangedParams(file, root),
        ]),
      );
      const name = files[0]?.file.name;
      const detail = { file: name, release: releaseId, files: files.length };
      await recordAudit(trx, at, author, 'library.match', `library/${id}`, detail);
    });
  }
}
