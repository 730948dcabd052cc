import type { BitReader } from '../bit-reader.ts';
import { CodeTable } from './code-table.ts';

/**
 * A block after the Burrows-Wheeler transform. `column` is the last column of the block's sorted
 * rotations. `row` is the index of the rotation that equals the block.
 */
export interface SortedBlock {
  readonly column: Uint8Array;
  readonly row: number;
}

const RUN_A = 0;
const RUN_B = 1;
/** Number of consecutive symbols that use the same table. */
const GROUP = 50;
const MAX_SELECTORS = 18_002;

/**
 * Reads a block of at most `maxBytes` bytes. Throws a RangeError if the block is larger or damaged.
 */
export function readBlock(bits: BitReader, maxBytes: number): SortedBlock {
  if (bits.read(1) !== 0) throw new RangeError('a bzip2 block of the time before 0.9.5');
  const row = bits.read(24);
  const front = usedBytes(bits);
  const tableCount = bits.read(3);
  const selectors = readSelectors(bits, tableCount);
  const symbols = front.length + 2;
  const tables = Array.from({ length: tableCount }, () => CodeTable.read(bits, symbols));
  const column = new Uint8Array(maxBytes);
  const end = symbols - 1;
  let size = 0;
  let run = 0;
  let weight = 1;
  for (let at = 0; ; at += 1) {
    const table = tables[selectors[Math.floor(at / GROUP)] ?? -1];
    if (table === undefined || bits.isPastEnd) throw new RangeError('a bzip2 block that is cut');
    const symbol = table.next(bits);
    if (symbol === RUN_A || symbol === RUN_B) {
      run += weight << symbol;
      weight <<= 1;
      if (run > maxBytes) throw new RangeError('a bzip2 block that is too long');
      continue;
    }
    if (run > 0) {
      if (run > maxBytes - size) throw new RangeError('a bzip2 block that is too long');
      column.fill(front[0] as number, size, size + run);
      size += run;
      run = 0;
      weight = 1;
    }
    if (symbol === end) break;
    if (size === maxBytes) throw new RangeError('a bzip2 block that is too long');
    const byte = front[symbol - 1] as number;
    front.copyWithin(1, 0, symbol - 1);
    front[0] = byte;
    column[size] = byte;
    size += 1;
  }
  if (row >= size) throw new RangeError('a bzip2 block without its row');
  return { column: column.subarray(0, size), row };
}

/** Reads the byte values that occur in the block, in ascending order. */
function usedBytes(bits: BitReader): Uint8Array {
  const ranges = bits.read(16);
  const used: number[] = [];
  for (let high = 0; high < 16; high += 1) {
    if ((ranges & (0x8000 >> high)) === 0) continue;
    const range = bits.read(16);
    for (let low = 0; low < 16; low += 1) {
      if ((range & (0x8000 >> low)) !== 0) used.push(16 * high + low);
    }
  }
  if (used.length === 0) throw new RangeError('a bzip2 block of no bytes');
  return Uint8Array.from(used);
}

/** Reads the index of the table for each group of symbols. */
function readSelectors(bits: BitReader, tableCount: number): number[] {
  const count = bits.read(15);
  if (tableCount < 2 || tableCount > 6 || count === 0) throw new RangeError('a bzip2 block');
  const order = [0, 1, 2, 3, 4, 5];
  const selectors: number[] = [];
  for (let i = 0; i < count; i += 1) {
    let place = 0;
    while (bits.read(1) === 1) {
      place += 1;
      if (place >= tableCount) throw new RangeError('a bzip2 table that is not there');
    }
    const [table = 0] = order.splice(place, 1);
    order.unshift(table);
    // Some programs write more selectors than a block can use. Read but ignore the surplus.
    if (i < MAX_SELECTORS) selectors.push(table);
  }
  return selectors;
}
