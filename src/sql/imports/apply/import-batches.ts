import type { Engine } from '../../engine/engine.ts';

/** Maximum number of rows that are written in a single transaction. */
export const rowsAtOnce = 500;
const firstRows = 100;
const minRows = 10;
const maxRows = 5_000;
/**
 * Weight of the last part in the running average of the time per row. The average evens out other
 * load on the machine.
 */
const shareOfLast = 0.3;

/**
 * A range of row numbers that includes `from` and `to`. The range is empty if `to` is below `from`.
 */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function sizeOf({ from, to }: Range): number {
  return to - from + 1;
}

/**
 * Writes a large range of rows in several short transactions (`WriteOptions.isPart`), so that
 * logins and edits can run between the transactions. Adapts the number of rows, so that each
 * transaction takes about as long as the engine allows (`Engine.partMs`).
 */
export async function writeInParts(
  engine: Pick<Engine, 'partMs'>,
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
    const max = Math.min(2 * rows, maxRows);
    rows = Math.round(Math.min(Math.max(engine.partMs() / msPerRow, minRows), max));
  }
}
