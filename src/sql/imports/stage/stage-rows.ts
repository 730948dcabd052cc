import type { Insertable } from 'kysely';
import type { MetadataFact } from '../../../core/imports/metadata.ts';
import type { Staging } from '../../../core/imports/ports.ts';
import type { StagedRow } from '../../../core/imports/staged-row.ts';
import { KindBits } from '../../../core/shared/names/kind-bits.ts';
import { groupKeyOf } from '../../releases/groups/group-key.ts';
import { refusedKeysOf } from '../plan/refused-keys.ts';
import { groupParents } from './group-parents.ts';
import { mergeRepeatedRows } from './merge-rows.ts';
import type { StagingRun } from './staging-run.ts';
import type { StagingTables } from './staging-tables.ts';

/** Number of rows that are collected in memory before they are written. */
const rowsPerFlush = 1000;

/** Rows that are not yet written to a table. */
type PendingRows<T extends keyof StagingTables> = Insertable<StagingTables[T]>[];

/**
 * Writes the rows of one file to staging tables. Staging does not change the catalogue, does not
 * take its write lock, and uses little memory in this process. Writes `staged_row`, `staged_rom`,
 * `staged_serial`, `staged_fact` and `refused_key`.
 */
export class SqlStaging implements Staging {
  readonly #run: StagingRun;
  readonly #kinds = new KindBits();
  #rows: PendingRows<'staged_row'> = [];
  #roms: PendingRows<'staged_rom'> = [];
  #serials: PendingRows<'staged_serial'> = [];
  #facts: PendingRows<'staged_fact'> = [];
  #refusedKeys: PendingRows<'refused_key'> = [];
  #position = 0;
  /** The write that is in progress. */
  #writing: Promise<void> = Promise.resolve();

  constructor(run: StagingRun) {
    this.#run = run;
  }

  add(row: StagedRow): void {
    const position = this.#position;
    this.#position += 1;
    const { dump, dumpKey, romsDigest, serialSearch, ...rest } = row;
    const { cloneOf, datId, cloneOfId, ...texts } = rest;
    this.#rows.push({
      ...texts,
      position,
      kinds: this.#kinds.of(texts.name),
      dump: dumpKey,
      dump_sha1: dump.sha1,
      dump_md5: dump.md5,
      dump_crc: dump.crc,
      roms_digest: romsDigest,
      serial_search: serialSearch,
      clone_of: cloneOf,
      clone_group: cloneOf === '' ? '' : groupKeyOf(cloneOf),
      dat_id: datId,
      clone_of_id: cloneOfId,
      own_group: datId === '' ? '' : groupKeyOf(texts.name),
    });
    for (const serial of row.serials) this.#serials.push({ row_position: position, serial });
    for (const [index, rom] of row.roms.entries()) {
      this.#roms.push({ ...rom, row_position: position, position: index, size: rom.size ?? 0 });
    }
  }

  addRefused(row: StagedRow): void {
    this.#refusedKeys.push(...refusedKeysOf(row));
  }

  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void {
    for (const fact of facts) this.#facts.push({ ...fact, row_has_name: rowHasName });
  }

  /**
   * Begins to write the rows that are in memory, if there are many. Does not wait for the end, so
   * that the next rows are prepared meanwhile. Throws the error of the previous write.
   */
  async flush(): Promise<void> {
    const waiting = this.#rows.length + this.#facts.length + this.#refusedKeys.length;
    if (waiting >= rowsPerFlush) await this.#write();
  }

  /**
   * Writes the rows that are still in memory. For a DAT, then merges repeated rows, assigns parents
   * to the groups of their variants, and deletes the facts of rows that have a name. For a metadata
   * file, then deletes the staged rows, because only the facts are used.
   */
  async finish(kind: 'dat' | 'metadata'): Promise<void> {
    await this.#write();
    await this.#writing;
    await this.#run.stage(async (db) => {
      if (kind === 'metadata') {
        await db.deleteFrom('staged_row').execute();
        return;
      }
      await mergeRepeatedRows(db);
      await groupParents(db);
      await db.deleteFrom('staged_fact').where('row_has_name', '=', true).execute();
    });
  }

  /** Waits for the write in progress. Never throws. Call this when staging has failed. */
  async stop(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  async #write(): Promise<void> {
    await this.#writing;
    const [rows, roms, serials, facts] = [this.#rows, this.#roms, this.#serials, this.#facts];
    const refusedKeys = this.#refusedKeys;
    this.#rows = [];
    this.#roms = [];
    this.#serials = [];
    this.#facts = [];
    this.#refusedKeys = [];
    this.#writing = this.#run.stage(async (_, staged) => {
      await staged.add('staged_row', rows);
      await staged.add('staged_rom', roms);
      await staged.add('staged_serial', serials);
      await staged.add('staged_fact', facts, 'replace');
      await staged.add('refused_key', refusedKeys, 'replace');
    });
    this.#writing.catch(() => undefined); // the next write throws this error
  }
}
