import { Presets, SingleBar } from 'cli-progress';
import type { CoverProgress } from '../core/covers/cover-progress.ts';

/** Between two plain lines of progress. */
const lineMs = 10_000;

/** Shows how work on covers goes: a bar in a terminal, plain lines otherwise, nothing but the report as JSON. */
export class CoverDisplay {
  readonly #json: boolean;
  readonly #bar: SingleBar | null;
  #isStarted = false;
  #lineAt = performance.now();

  constructor(json: boolean) {
    this.#json = json;
    const format = '{bar} {value}/{total} {name}';
    this.#bar =
      !json && process.stderr.isTTY
        ? new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
        : null;
  }

  progress({ done, total, name }: CoverProgress): void {
    if (this.#json) return;
    if (this.#bar !== null) {
      if (!this.#isStarted) this.#bar.start(total, 0, { name: '' });
      this.#isStarted = true;
      this.#bar.update(done, { name: plain(name) });
      return;
    }
    const now = performance.now();
    if (now - this.#lineAt < lineMs) return;
    this.#lineAt = now;
    process.stderr.write(`${done} of ${total}\n`);
  }

  /** The report, as JSON or as these lines. */
  end(report: object, lines: readonly string[]): void {
    this.stop();
    const text = this.#json ? JSON.stringify(report, null, 2) : lines.map(plain).join('\n');
    process.stdout.write(`${text}\n`);
  }

  stop(): void {
    if (this.#isStarted) this.#bar?.stop();
  }
}

/** Files choose these texts: no control character of theirs reaches the terminal. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '?');
}
