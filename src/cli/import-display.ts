import { Presets, SingleBar } from 'cli-progress';
import type { FileReport, ImportProgress, ImportReport } from '../core/imports/imports.ts';

/** Shows how an import goes: a bar in a terminal, plain lines otherwise, nothing but the report as JSON. */
export class ImportDisplay {
  readonly #json: boolean;
  readonly #bar: SingleBar | null;
  #barFile = '';

  constructor(json: boolean) {
    this.#json = json;
    const format = '{bar} {percentage}% {file}';
    this.#bar =
      !json && process.stderr.isTTY
        ? new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
        : null;
  }

  progress({ file, bytesRead, bytes }: ImportProgress): void {
    if (this.#bar === null) return;
    if (file !== this.#barFile) this.#bar.start(bytes, 0, { file });
    this.#barFile = file;
    this.#bar.update(bytesRead);
  }

  file(report: FileReport): void {
    this.stop();
    if (this.#json) return;
    if ('refused' in report) process.stderr.write(`refused  ${report.refused}\n`);
    else process.stdout.write(`${describe(report)}\n`);
  }

  end(report: ImportReport): void {
    if (this.#json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else if (report.files.length > 1) process.stdout.write(`${sum(report)}\n`);
  }

  stop(): void {
    if (this.#barFile !== '') this.#bar?.stop();
    this.#barFile = '';
  }
}

function describe(report: Exclude<FileReport, { refused: string }>): string {
  const { counts } = report;
  const details = (['new', 'joined', 'changed', 'renamed', 'unchanged', 'gone'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind]} ${kind}`);
  return (
    `imported ${report.file}\n         ${report.platform} ${report.version} (${report.system}): ` +
    `${counts.rows} rows, ${counts.releases} releases: ${details.join(', ')}`
  );
}

function sum(report: ImportReport): string {
  const refusedFiles = report.files.filter((file) => 'refused' in file).length;
  return `${report.files.length - refusedFiles} files imported, ${refusedFiles} refused`;
}
