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
 * Writes large ranges of rows of one kind in short transactions (`WriteOptions.isPart`), so that
 * logins and edits can run between the transactions. Adapts the number of rows, so that each
 * transaction takes about as long as the engine allows (`Engine.partMs`). The time per row of one
 * range is also used for the next range.
 */
export class PartWriter {
  readonly #engine: Pick<Engine, 'partMs'>;
  #msPerRow: number | undefined;

  constructor(engine: Pick<Engine, 'partMs'>) {
    this.#engine = engine;
  }

  async write({ from, to }: Range, write: (part: Range) => Promise<void>): Promise<void> {
    let max = this.#msPerRow === undefined ? firstRows : maxRows;
    for (let next = from; next <= to; ) {
      const started = performance.now();
      const rows = Math.min(this.#fittingRows(), max);
      const part = { from: next, to: Math.min(next + rows - 1, to) };
      await write(part);
      next = part.to + 1;
      this.#learn((performance.now() - started) / sizeOf(part));
      max = Math.min(2 * rows, maxRows);
    }
  }

  #fittingRows(): number {
    if (this.#msPerRow === undefined) return firstRows;
    return Math.max(Math.round(this.#engine.partMs() / this.#msPerRow), minRows);
  }

  #learn(msPerRow: number): void {
    const last = this.#msPerRow ?? msPerRow;
    this.#msPerRow = last + shareOfLast * (msPerRow - last);
  }
}
