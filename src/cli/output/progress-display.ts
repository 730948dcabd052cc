import { printError } from './output.ts';
import { barLine, type ProgressView, plainLine } from './progress-line.ts';

export interface DisplayOptions {
  /** True to show no progress, because the report is printed as JSON. */
  readonly isSilent: boolean;
  /**
   * Milliseconds until the first progress line if standard error is not a terminal. Undefined to
   * print no progress lines in that case.
   */
  readonly firstLineMs?: number;
}

/** Milliseconds between two progress lines if standard error is not a terminal. */
const lineMs = 10_000;
/** Milliseconds between two updates of the bar in a terminal. */
const drawMs = 100;

/**
 * Shows the progress of work on standard error. In a terminal, one line with a bar is redrawn;
 * otherwise, a plain line is printed at intervals.
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

  update(shown: ProgressView): void {
    const { isSilent, firstLineMs } = this.#options;
    const isDrawing = process.stderr.isTTY;
    if (isSilent || (!isDrawing && firstLineMs === undefined)) return;
    const now = performance.now();
    if (shown.phase !== this.#phase) {
      this.#phase = shown.phase;
      this.#phaseAt = now;
      // In a terminal, show a new phase at once, because some phases report no progress until they
      // end.
      this.#nextAt = isDrawing ? now : now + (firstLineMs ?? lineMs);
    }
    if (now < this.#nextAt) return;
    this.#nextAt = now + (isDrawing ? drawMs : lineMs);
    const ms = now - this.#phaseAt;
    if (isDrawing) this.#draw(barLine(shown, ms, process.stderr.columns || 80));
    else printError(plainLine(shown, ms));
  }

  /**
   * Removes the line with the bar. Must be called before other lines are printed, and at the end.
   */
  clear(): void {
    if (this.#isDrawn) process.stderr.write('\r\x1b[K');
    this.#isDrawn = false;
  }

  #draw(line: string): void {
    process.stderr.write(`\r${line}\x1b[K`);
    this.#isDrawn = true;
  }
}
