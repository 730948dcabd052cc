import { sql } from 'kysely';
import { groupParents } from './group-parents.ts';
import { mergeRepeatedRows } from './merge-rows.ts';
import type { StagingRun } from './staging-run.ts';
import type { WaitingRows } from './waiting-rows.ts';

/**
 * Writes the waiting rows of a file to staging tables. Staging does not change the catalogue, does
 * not take its write lock, and uses little memory in this process. Writes `staged_row`,
 * `staged_rom`, `staged_serial`, `staged_fact` and `refused_key`.
 */
export class Staging {
  readonly #run: StagingRun;
  readonly #rows: WaitingRows;
  /** The write that is in progress. */
  #writing: Promise<void> = Promise.resolve();

  constructor(run: StagingRun, rows: WaitingRows) {
    this.#run = run;
    this.#rows = rows;
  }

  /**
   * Begins to write the oldest batch of rows. Does not wait for the end, so that the next rows are
   * prepared meanwhile. Throws the error of the previous write.
   */
  async stage(): Promise<void> {
    await this.#writing;
    const batch = this.#rows.take();
    if (batch === undefined) return;
    this.#writing = this.#run.stage(async (_, staged) => {
      await staged.addValues('staged_row', batch.staged_row);
      await staged.addValues('staged_rom', batch.staged_rom);
      await staged.addValues('staged_serial', batch.staged_serial);
      await staged.addValues('staged_fact', batch.staged_fact, 'replace');
      await staged.addValues('refused_key', batch.refused_key, 'replace');
    });
    this.#writing.catch(() => undefined); // the next call throws this error
  }

  /**
   * Writes all rows that still wait. For a DAT, then merges repeated rows, assigns parents to the
   * groups of their variants, and deletes the facts of rows that have a name. For a metadata file,
   * then deletes the staged rows, because only the facts are used.
   */
  async finish(kind: 'dat' | 'metadata'): Promise<void> {
    while (this.#rows.size > 0) await this.stage();
    await this.#writing;
    await this.#run.stage(async (db) => {
      if (kind === 'metadata') {
        await db.deleteFrom('staged_row').execute();
        return;
      }
      await mergeRepeatedRows(db);
      const dropFacts = sql`DELETE FROM ${sql.table('staged_fact')} WHERE row_has_name`;
      await db.runAll([...groupParents(), dropFacts]);
    });
  }

  /** Waits for the write in progress. Never throws. Call this when staging has failed. */
  async stop(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }
}
