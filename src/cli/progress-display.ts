import { printError } from './output.ts';
import { barLine, plainLine, type Shown } from './progress-line.ts';

export interface DisplayOptions {
  /** Shows nothing, because the report is JSON. */
  readonly isSilent: boolean;
  /** Delay of the first plain line of progress without a terminal; undefined for no lines. */
  readonly firstLineMs?: number;
}

/** Interval of plain progress lines. */
const lineMs = 10_000;
/** Interval at which the bar is drawn. */
const drawMs = 100;

/**
 * Shows the progress of work on standard error: a line with a bar in a terminal, else a plain line
 * now and then.
 */
export class ProgressDisplay {
  readonly #options: DisplayOptions;
  #phase: string | null = null;
  #phaseAt = 0;
  #nextAt = 0;
  #isDrawn = false;

  constructor(options: DisplayOptions) {
    this.#options = options;
  }

  update(shown: Shown): void {
    const { isSilent, firstLineMs } = this.#options;
    const isDrawing = process.stderr.isTTY;
    if (isSilent || (!isDrawing && firstLineMs === undefined)) return;
    const now = performance.now();
    if (shown.phase !== this.#phase) {
      this.#phase = shown.phase;
      this.#phaseAt = now;
      // At once in a terminal, because some phases report nothing more until they end.
      this.#nextAt = isDrawing ? now : now + (firstLineMs ?? lineMs);
    }
    if (now < this.#nextAt) return;
    this.#nextAt = now + (isDrawing ? drawMs : lineMs);
    const ms = now - this.#phaseAt;
    if (isDrawing) this.#draw(barLine(shown, ms, process.stderr.columns || 80));
    else printError(plainLine(shown, ms));
  }

  /** Removes the line with the bar, before other lines are printed and at the end. */
  clear(): void {
    if (this.#isDrawn) process.stderr.write('\r\x1b[K');
    this.#isDrawn = false;
  }

  #draw(line: string): void {
    process.stderr.write(`\r${line}\x1b[K`);
    this.#isDrawn = true;
  }
}
