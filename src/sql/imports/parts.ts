/**
 * Target duration of a transaction. Its write lock should go unnoticed: a login waits for two of
 * them.
 */
const targetMs = 20;
/** Number of rows that need no parts. */
export const rowsAtOnce = 500;
const firstRows = 100;
const leastRows = 10;
const mostRows = 5_000;
/**
 * Weight of the last part's time against the average of those before, which evens out other load on
 * the machine.
 */
const shareOfLast = 0.3;

/** A range of row numbers, both ends included; empty when `to` is below `from`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function sizeOf({ from, to }: Range): number {
  return to - from + 1;
}

/**
 * Writes a large range of rows in short transactions (`WriteOptions.isPart`), so that logins and
 * edits can run in between.
 */
export async function writeInParts(
  { from, to }: Range,
  write: (part: Range) => Promise<void>,
): Promise<void> {
  let rows = firstRows;
  let msPerRow: number | undefined;
  for (let next = from; next <= to; ) {
    const started = performance.now();
    const part = { from: next, to: Math.min(next + rows - 1, to) };
    await write(part);
    next = part.to + 1;
    const took = (performance.now() - started) / sizeOf(part);
    msPerRow = msPerRow === undefined ? took : msPerRow + shareOfLast * (took - msPerRow);
    const most = Math.min(2 * rows, mostRows);
    rows = Math.round(Math.min(Math.max(targetMs / msPerRow, leastRows), most));
  }
}
