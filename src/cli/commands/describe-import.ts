import type { FileReport, ImportReport } from '../../core/imports/imports.ts';

export type Imported = Exclude<FileReport, { refused: string }>;

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
  gone: 'no longer in the file',
  filled: 'with new metadata',
  protected: 'kept because a user edited the field',
};

/** Returns lines that say what the import of one file changed, or with `dryRun` would change. */
export function describeFile(report: Imported, { dryRun }: { dryRun: boolean }): string[] {
  const { file, kind, platform, version, counts, samples } = report;
  const details = kinds
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${words[name] ?? name}`);
  const what = kind === 'dat' ? counted(counts.releases, 'release') : 'metadata';
  const lines = [
    `${dryRun ? 'would import' : 'imported'} ${file}`,
    `         ${`${platform} ${version}`.trim()}: ${counted(counts.rows, 'row')}, ${what}: ${details.join(', ') || 'nothing new'}`,
    ...some('renamed', samples.renamed, counts.renamed),
    // The releases that are gone include the pruned releases. List a pruned release only once.
    ...(counts.pruned > 0 ? [] : some('gone', samples.gone, counts.gone)),
    ...some('pruned', samples.pruned, counts.pruned),
    ...some('kept', samples.protected, counts.protected),
  ];
  if (counts.refusedRows > 0) {
    lines.push(`         ${counted(counts.refusedRows, 'row')} refused:`);
    lines.push(...some('at', samples.refusedRows, counts.refusedRows));
  }
  return lines;
}

/** Returns one line that summarizes all files of an import. */
export function describeImport({ files, dryRun }: ImportReport): string {
  const refusedFiles = files.filter((file) => 'refused' in file).length;
  const taken = counted(files.length - refusedFiles, 'file');
  const what = dryRun ? `would import ${taken}` : `${taken} imported`;
  return `${what}, ${refusedFiles} refused`;
}

/**
 * Returns lines with the first five names and the number of others, so that a report stays
 * readable. The import history and --json contain more names.
 */
function some(word: string, names: readonly string[], count: number): string[] {
  const first = names.slice(0, 5).map((name) => `           ${word} ${name}`);
  return count > first.length ? [...first, `           and ${count - first.length} more`] : first;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
