import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { type BackupPart, partsOfBackup } from './backup-parts.ts';
import type { BackupReport, BackupWatch } from './backup-report.ts';
import { BackupRun } from './backup-run.ts';
import type { BackupFiles, DatabaseCopies } from './ports.ts';

/**
 * Writes consistent backups of the database, covers and archives. Other work may read and write
 * during a backup.
 */
export class Backups {
  readonly #copies: DatabaseCopies;
  readonly #areas: Readonly<Record<BackupPart, FileArea>>;
  readonly #files: BackupFiles;
  readonly #clock: Clock;

  constructor(parts: {
    copies: DatabaseCopies;
    areas: Readonly<Record<BackupPart, FileArea>>;
    files: BackupFiles;
    clock: Clock;
  }) {
    this.#copies = parts.copies;
    this.#areas = parts.areas;
    this.#files = parts.files;
    this.#clock = parts.clock;
  }

  /**
   * Writes a copy of the database alone to a new file. Throws refused() when `file` exists or a
   * disk fails. Throws the signal's reason when aborted.
   */
  writeDatabase(file: string, signal: AbortSignal): Promise<void> {
    return this.#files.writeAtomically(file, async ({ path }) => {
      await this.#copies.copy(path, { signal });
      await this.#copies.seal(path);
    });
  }

  /**
   * Writes the database, the covers and, if `store` is set, the archives to one new file. Throws
   * refused() when the file exists, a disk fails, or files are replaced faster than they can be
   * read. Throws the signal's reason when aborted.
   */
  write(file: string, options: { store: boolean } & BackupWatch): Promise<BackupReport> {
    const { signal, onProgress } = options;
    const onRows = (done: number, total: number, name: string) =>
      onProgress({ step: 'rows', done, total, name });
    const parts = partsOfBackup(options);
    return this.#files.writeAtomically(file, async ({ path, spare }) => {
      const writer = await this.#files.create(path);
      try {
        const run = new BackupRun({
          writer,
          areas: this.#areas,
          parts,
          copyDatabase: (whileCopying) =>
            this.#copies.copy(spare, { signal, onRows }, whileCopying),
          clock: this.#clock,
          watch: options,
        });
        const report = await run.write();
        return { file, ...report, archives: options.store ? report.archives : null };
      } finally {
        await writer.close();
      }
    });
  }
}
