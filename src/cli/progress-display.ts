import { printError } from './output.ts';
import { barLine, plainLine, type Shown } from './progress-line.ts';

export interface DisplayOptions {
  /** Shows nothing, because the report is JSON. */
  readonly isSilent: boolean;
  /** Without a terminal: after so long comes the first plain line of progress; undefined for none. */
  readonly firstLineMs?: number;
}

/** Between two plain lines of progress. */
const lineMs = 10_000;
/** Between two pictures of the bar. */
const drawMs = 100;

/** Shows how work goes, on standard error: one line with a bar in a terminal, else a plain line now and then. */
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
      // At once in a terminal: some say nothing more until they end.
      this.#nextAt = isDrawing ? now : now + (firstLineMs ?? lineMs);
    }
    if (now < this.#nextAt) return;
    this.#nextAt = now + (isDrawing ? drawMs : lineMs);
    const ms = now - this.#phaseAt;
    if (isDrawing) this.#draw(barLine(shown, ms, process.stderr.columns || 80));
    else printError(plainLine(shown, ms));
  }

  /** Takes the line with the bar away, before others are printed and at the end. */
  clear(): void {
    if (this.#isDrawn) process.stderr.write('\r\x1b[K');
    this.#isDrawn = false;
  }

  #draw(line: string): void {
    process.stderr.write(`\r${line}\x1b[K`);
    this.#isDrawn = true;
  }
}
