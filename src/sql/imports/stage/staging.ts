import { sql } from 'kysely';
import { groupParents } from './group-parents.ts';
import { mergeRepeatedRows } from './merge-rows.ts';
import type { StagingRun } from './staging-run.ts';
import type { StagingTables } from './staging-tables.ts';
import type { RowBatch, WaitingRows } from './waiting-rows.ts';

/**
 * Writes the waiting rows of a file to staging tables. Staging does not change the catalogue, does
 * not take its write lock, and uses little memory in this process. Writes `staged_row`,
 * `staged_rom`, `staged_serial`, `staged_fact` and `refused_key`.
 */
export class Staging {
  readonly #run: StagingRun;
  readonly #rows: WaitingRows;
  /** For each table, the write that was begun last. */
  readonly #writes = new Map<keyof RowBatch, Promise<void>>();
  /** The last two batches that are being written, older first. */
  #batches: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];

  constructor(run: StagingRun, rows: WaitingRows) {
    this.#run = run;
    this.#rows = rows;
  }

  /**
   * Begins to write the oldest batch of rows. Waits until the batch before the previous one is
   * written, so that the database always has a batch to write. Throws the error of that batch.
   */
  async stage(): Promise<void> {
    const [older, newer] = this.#batches;
    await older;
    const batch = this.#rows.take();
    if (batch === undefined) return;
    const writing = allDone([
      this.#write('staged_row', batch),
      this.#write('staged_rom', batch),
      this.#write('staged_serial', batch),
      this.#write('staged_fact', batch, 'replace'),
      this.#write('refused_key', batch, 'replace'),
    ]);
    writing.catch(() => undefined); // a later call throws this error
    this.#batches = [newer, writing];
  }

  /**
   * Writes all rows that still wait. For a DAT, then merges repeated rows, assigns parents to the
   * groups of their variants, and deletes the facts of rows that have a name. For a metadata file,
   * then deletes the staged rows, because only the facts are used.
   */
  async finish(kind: 'dat' | 'metadata'): Promise<void> {
    while (this.#rows.size > 0) await this.stage();
    for (const batch of this.#batches) await batch;
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

  /** Waits for the writes in progress. Never throws. No write is in progress after `finish`. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#writes.values());
  }

  /** Writes rows of a table after its earlier rows, because later facts replace earlier ones. */
  #write(table: keyof RowBatch & keyof StagingTables, batch: RowBatch, conflict?: 'replace') {
    const previous = this.#writes.get(table) ?? Promise.resolve();
    const writing = previous.then(() =>
      this.#run.stage((_, staged) => staged.addValues(table, batch[table], conflict)),
    );
    this.#writes.set(table, writing);
    return writing;
  }
}

/**
 * Waits until all writes have ended, and then throws the error of the first that failed. After a
 * failure of the disk, the tables are lost, so the writes after it fail for another reason.
 */
async function allDone(writes: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(writes);
  for (const write of writes) await write;
}
