import { setTimeout } from 'node:timers/promises';

/** What a transaction may last, so that nobody notices that it holds the write lock. */
const targetMs = 30;
/** Between two transactions; longer than others wait between two tries to get the lock (`Connection.begin`). */
const pauseMs = 5;
/** Rows that need no parts. */
export const rowsAtOnce = 500;
const firstRows = 100;
const leastRows = 10;
const mostRows = 5_000;

/** Rows by their numbers, both ends included; empty when `to` is below `from`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function sizeOf({ from, to }: Range): number {
  return to - from + 1;
}

/** Writes a large range of rows in short transactions, so that logins and edits get theirs in between. */
export async function writeInParts(
  { from, to }: Range,
  write: (part: Range) => Promise<void>,
): Promise<void> {
  let rows = firstRows;
  for (let next = from; next <= to; ) {
    const started = performance.now();
    const part = { from: next, to: Math.min(next + rows - 1, to) };
    await write(part);
    next = part.to + 1;
    const took = performance.now() - started;
    rows = Math.round(Math.min(Math.max((rows * targetMs) / took, leastRows), mostRows));
    if (next <= to) await setTimeout(pauseMs);
  }
}
