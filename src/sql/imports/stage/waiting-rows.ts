import type { MetadataFact } from '../../../core/imports/metadata.ts';
import { type RowSink, rowsPerStage } from '../../../core/imports/ports.ts';
import type { StagedRow } from '../../../core/imports/staged-row.ts';
import { KindBits } from '../../../core/shared/names/kind-bits.ts';
import { groupKeyOf } from '../../releases/groups/group-key.ts';
import { refusedKeysOf } from '../plan/refused-keys.ts';
import { type RowValues, valuesOf } from './staging-run.ts';

/** Rows for the staging tables that are filled from a file. */
export class RowBatch {
  readonly staged_row: RowValues[] = [];
  readonly staged_rom: RowValues[] = [];
  readonly staged_serial: RowValues[] = [];
  readonly staged_fact: RowValues[] = [];
  readonly refused_key: RowValues[] = [];

  /** Number of rows and facts of the file in this batch. */
  get size(): number {
    return this.staged_row.length + this.staged_fact.length + this.refused_key.length;
  }
}

const toValues = {
  row: valuesOf('staged_row'),
  rom: valuesOf('staged_rom'),
  serial: valuesOf('staged_serial'),
  fact: valuesOf('staged_fact'),
  refusedKey: valuesOf('refused_key'),
};

/**
 * The rows of a file that wait in memory until they are staged. They are kept in the form in which
 * they are sent to the database, so that staging takes little time.
 */
export class WaitingRows implements RowSink {
  readonly #kinds = new KindBits();
  /** The batches, oldest first. Rows are added to the last batch. */
  #batches: RowBatch[] = [];
  #position = 0;

  /** Number of rows and facts that wait. */
  get size(): number {
    return this.#batches.reduce((sum, { size }) => sum + size, 0);
  }

  /** Removes and returns the oldest batch. */
  take(): RowBatch | undefined {
    return this.#batches.shift();
  }

  add(row: StagedRow): void {
    const batch = this.#last();
    const position = this.#position;
    this.#position += 1;
    const { dump, dumpKey, romsDigest, serialSearch, ...rest } = row;
    const { cloneOf, datId, cloneOfId, ...texts } = rest;
    const values = toValues.row({
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
    batch.staged_row.push(values);
    for (const serial of row.serials) {
      batch.staged_serial.push(toValues.serial({ row_position: position, serial }));
    }
    for (const [index, rom] of row.roms.entries()) {
      const place = { row_position: position, position: index, size: rom.size ?? 0 };
      batch.staged_rom.push(toValues.rom({ ...rom, ...place }));
    }
  }

  addRefused(row: StagedRow): void {
    const batch = this.#last();
    for (const key of refusedKeysOf(row)) batch.refused_key.push(toValues.refusedKey(key));
  }

  addFacts(facts: readonly MetadataFact[], rowHasName: boolean): void {
    const batch = this.#last();
    for (const fact of facts) {
      batch.staged_fact.push(toValues.fact({ ...fact, row_has_name: rowHasName }));
    }
  }

  #last(): RowBatch {
    const last = this.#batches.at(-1);
    if (last !== undefined && last.size < rowsPerStage) return last;
    const batch = new RowBatch();
    this.#batches.push(batch);
    return batch;
  }
}
