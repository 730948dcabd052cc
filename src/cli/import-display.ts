import { Presets, SingleBar } from 'cli-progress';
import type { FileReport, ImportProgress, ImportReport } from '../core/imports/imports.ts';

/** Shows how an import goes: a bar in a terminal, plain lines otherwise, nothing but the report as JSON. */
export class ImportDisplay {
  readonly #json: boolean;
  readonly #bar: SingleBar | null;
  #barShows = '';

  constructor(json: boolean) {
    this.#json = json;
    const format = '{bar} {percentage}% {what}';
    this.#bar =
      !json && process.stderr.isTTY
        ? new SingleBar({ format, clearOnComplete: true, hideCursor: true }, Presets.shades_classic)
        : null;
  }

  progress({ file, bytesRead, bytes, written, releases }: ImportProgress): void {
    if (this.#bar === null) return;
    const [what, done, all] =
      releases > 0 ? [`writing ${file}`, written, releases] : [file, bytesRead, bytes];
    if (what !== this.#barShows) this.#bar.start(all, 0, { what });
    this.#barShows = what;
    this.#bar.update(done);
  }

  file(report: FileReport): void {
    this.stop();
    if (this.#json) return;
    if ('refused' in report) process.stderr.write(`refused  ${plain(report.refused)}\n`);
    else process.stdout.write(`${describe(report).map(plain).join('\n')}\n`);
  }

  end(report: ImportReport): void {
    if (this.#json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else if (report.files.length !== 1 || report.dryRun) process.stdout.write(`${sum(report)}\n`);
  }

  stop(): void {
    if (this.#barShows !== '') this.#bar?.stop();
    this.#barShows = '';
  }
}

type Imported = Exclude<FileReport, { refused: string }>;

const kinds = [
  'new',
  'joined',
  'changed',
  'renamed',
  'unchanged',
  'gone',
  'pruned',
  'filled',
  'protected',
] as const;

const words: Partial<Record<(typeof kinds)[number], string>> = {
  joined: 'joined to releases of another source',
  gone: 'gone from the file',
  filled: 'with new metadata',
  protected: 'edited by hand and kept',
};

function describe({ file, kind, platform, version, counts, samples }: Imported): string[] {
  const details = kinds
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${words[name] ?? name}`);
  const what = kind === 'dat' ? counted(counts.releases, 'release') : 'metadata';
  const lines = [
    `imported ${file}`,
    `         ${`${platform} ${version}`.trim()}: ${counted(counts.rows, 'row')}, ${what}: ${details.join(', ') || 'nothing new'}`,
    ...some('renamed', samples.renamed, counts.renamed),
    // What is pruned is gone, too.
    ...(counts.pruned > 0 ? [] : some('gone', samples.gone, counts.gone)),
    ...some('pruned', samples.pruned, counts.pruned),
    ...some('kept', samples.protected, counts.protected),
  ];
  if (counts.refusedRows > 0) {
    lines.push(`         ${counted(counts.refusedRows, 'row')} not taken:`);
    lines.push(...some('at', samples.refusedRows, counts.refusedRows));
  }
  return lines;
}

/** Files choose these texts: no control character of theirs reaches the terminal. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '?');
}

/** The first few, so that a report stays readable; more are in the history and with --json. */
function some(word: string, names: readonly string[], count: number): string[] {
  const first = names.slice(0, 5).map((name) => `           ${word} ${name}`);
  return count > first.length ? [...first, `           and ${count - first.length} more`] : first;
}

function sum(report: ImportReport): string {
  const refusedFiles = report.files.filter((file) => 'refused' in file).length;
  const imported = report.files.length - refusedFiles;
  const verb = report.dryRun ? 'would be imported' : 'imported';
  return `${counted(imported, 'file')} ${verb}, ${refusedFiles} refused`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
