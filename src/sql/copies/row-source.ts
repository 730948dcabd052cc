import type { BackupPart } from '../../core/backups/backup-parts.ts';
import type { CopyWatch } from '../../core/backups/copies/copy-report.ts';
import type {
  CopyOfRows,
  DatabaseDestination,
  SourceDatabase,
} from '../../core/backups/copies/ports.ts';
import { refused } from '../../core/shared/errors.ts';
import type { Engine, Snapshot } from '../engine/engine.ts';
import { fillDatabase, fillPostgres } from '../engine/open.ts';
import { copyRows } from '../rows/copy-rows.ts';
import { concatSources, sourceOf } from '../rows/read-tables.ts';
import type { RowSource, RowTarget } from '../rows/row-ports.ts';
import { fileReservations, rowTables, tablesWithoutFiles } from '../rows/row-tables.ts';
import { objectsOf, withTimes } from '../rows/rows-of-files.ts';
import { recordedFiles } from './native-backup.ts';

/** Reads the rows of a database that is copied to another database. */
export class SqlCopiedDatabase implements SourceDatabase {
  readonly #engine: Engine;
  readonly #isRestored: boolean;

  /**
   * `isRestored` is true for the database of a backup. Such a database may have interrupted file
   * changes. A server that starts with the copy recovers these file changes.
   */
  constructor({ engine, isRestored = false }: { engine: Engine; isRestored?: boolean }) {
    this.#engine = engine;
    this.#isRestored = isRestored;
  }

  recorded(part: BackupPart) {
    return recordedFiles(this.#engine.read, part);
  }

  copy(to: DatabaseDestination, what: CopyOfRows, watch: CopyWatch) {
    return this.#engine.snapshot(async (snapshot) => {
      if (what.files !== null) await this.#checkFiles(snapshot);
      const left = what.files === null ? { uploads: 0, dats: 0 } : await this.#countUploads();
      const source = await sourceFor(snapshot, { ...what, keepsObjects: this.#isRestored });
      const { name, rows } = await fill(to, source, async (target) => {
        const copied = await copyRows(source, target, watch);
        await what.beforeEnd();
        return copied;
      });
      return { name, rows, ...left };
    }, what.whileLocked);
  }

  /**
   * Checks that no file change is in progress, and throws refused() otherwise. The check is skipped
   * for the database of a backup.
   */
  async #checkFiles({ reader }: Snapshot): Promise<void> {
    if (!this.#isRestored && (await reader.count(fileReservations)) > 0) {
      throw refused(
        'file changes are in progress or were interrupted: stop the servers and copy again',
      );
    }
  }

  /**
   * Counts the uploads that are not copied: unfinished uploads, and uploaded DATs. Uploaded
   * archives are copied, because they are in the store.
   */
  async #countUploads(): Promise<{ uploads: number; dats: number }> {
    const rows = await this.#engine.read
      .selectFrom('upload')
      .select(['state', (select) => select.fn.countAll<number>().as('count')])
      .where((is) =>
        is.or([
          is('state', 'in', ['receiving', 'checking']),
          is.and([is('state', '=', 'done'), is('system', '=', 'dats')]),
        ]),
      )
      .groupBy('state')
      .execute();
    const counts = { uploads: 0, dats: 0 };
    for (const { state, count } of rows) counts[state === 'done' ? 'dats' : 'uploads'] += count;
    return counts;
  }
}

/**
 * Returns all rows to copy. If the files are copied too, the rows that record files describe the
 * copied files.
 */
async function sourceFor(
  { reader, version }: Snapshot,
  { files, ...how }: CopyOfRows & { readonly keepsObjects: boolean },
): Promise<RowSource> {
  if (files === null) return sourceOf(reader, rowTables, version);
  const rows = await sourceOf(reader, tablesWithoutFiles, version);
  return concatSources(withTimes(rows, files), await objectsOf(files, { ...how, reader, version }));
}

async function fill(
  to: DatabaseDestination,
  { version }: RowSource,
  work: (target: RowTarget) => Promise<number>,
): Promise<{ name: string; rows: number }> {
  const options = { version, tables: rowTables };
  if ('file' in to) return { name: to.name, rows: await fillDatabase(to.file, options, work) };
  return fillPostgres(to.url, options, async (target, name) => ({
    name,
    rows: await work(target),
  }));
}
