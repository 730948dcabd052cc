import { Presets, SingleBar } from 'cli-progress';
import { methods } from '../core/library/library-file.ts';
import type { ScanProgress, ScanReport } from '../core/library/scan-report.ts';

/** Between two plain lines of progress; the first one comes earlier, to show what is going on. */
const lineMs = 10_000;
const firstLineMs = 2_000;

/** Shows how a scan goes: a bar in a terminal, plain lines otherwise, nothing but the report as JSON. */
export class ScanDisplay {
  readonly #json: boolean;
  readonly #forgets: boolean;
  readonly #bar: SingleBar | null;
  #phase = '';
  #phaseAt = 0;
  #nextLineAt = 0;

  constructor({ json, forgets }: { json: boolean; forgets: boolean }) {
    this.#json = json;
    this.#forgets = forgets;
    const format = '{phase} {bar} {percentage}% {rate} {left} {file}';
    this.#bar =
      !json && process.stderr.isTTY
        ? new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
        : null;
  }

  progress(progress: ScanProgress): void {
    if (this.#json) return;
    const { phase, bytes, bytesDone, files, filesDone } = progress;
    const now = performance.now();
    if (phase !== this.#phase) {
      this.#bar?.stop();
      this.#bar?.start(bytes, 0, { phase, rate: '', left: '', file: '' });
      this.#phase = phase;
      this.#phaseAt = now;
      this.#nextLineAt = now + firstLineMs;
    }
    const seconds = Math.max((now - this.#phaseAt) / 1000, 0.001);
    const perSecond = bytesDone / seconds;
    const rate = `${sizeOf(perSecond)}/s`;
    const bytesLeft = Math.max(bytes - bytesDone, 0);
    const left = perSecond > 0 ? `${Math.ceil(bytesLeft / perSecond)} s left` : '';
    this.#bar?.update(bytesDone, { phase, rate, left, file: plain(progress.file) });
    if (this.#bar !== null || now < this.#nextLineAt) return;
    this.#nextLineAt = now + lineMs;
    process.stderr.write(
      `${phase}: ${filesDone} of ${files} files, ${sizeOf(bytesDone)} of ${sizeOf(bytes)}, ${rate}, ${left}\n`,
    );
  }

  end(report: ScanReport): void {
    this.stop();
    if (this.#json) {
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      return;
    }
    const consequence = this.#forgets
      ? 'what was known below it is forgotten'
      : 'nothing below it was touched (--forget removes)';
    for (const { root, reason } of report.problems) say(`${root}: ${reason}; ${consequence}`);
    for (const { path, reason } of report.unreadable) say(`${path}: ${reason}`);
    for (const { path, reason } of report.damaged) say(`${path}: damaged: ${reason}`);
    process.stdout.write(`${describe(report)}\n`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}

function describe(report: ScanReport): string {
  const recognised = methods
    .filter((method) => report.recognised[method] > 0)
    .map((method) => `${report.recognised[method]} by ${method}`);
  return [
    `${report.files} files: ${recognised.join(', ') || 'none recognised'}, ${report.unknown} unknown`,
    `${report.looked} looked at, ${report.moved} moved, ${report.gone} gone, ` +
      `${report.unreadable.length} unreadable, ${report.damaged.length} damaged, ${report.hashed} hashed`,
  ].join('\n');
}

function say(line: string): void {
  process.stderr.write(`${plain(line)}\n`);
}

/** Files choose their names: no control character of theirs reaches the terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

function sizeOf(bytes: number): string {
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KiB`;
  if (bytes < 1024 ** 3) return `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}
