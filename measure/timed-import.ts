import { measureCatalog } from './program.ts';

/** The part of the output of `catalog import --json` that `timeImport` uses. */
interface Report {
  readonly files: readonly {
    readonly refused?: string;
    readonly counts?: { readonly rows: number; readonly releases: number; readonly new: number };
  }[];
}

/**
 * Times one `catalog import` from start to exit. Returns the duration `ms` in milliseconds, the
 * peak memory `mib` in MiB, and the counts of the report. Throws if the import refused a file.
 */
export async function timeImport(
  dats: readonly string[],
  data: string,
  options: readonly string[] = [],
) {
  const started = performance.now();
  const { output, mib } = await measureCatalog([
    'import',
    '--json',
    '--data',
    data,
    ...options,
    ...dats,
  ]);
  const ms = performance.now() - started;
  const counts = (JSON.parse(output) as Report).files.map((file) => {
    if (file.counts === undefined) throw new Error(file.refused ?? 'the report has no counts');
    return file.counts;
  });
  const sum = (of: 'rows' | 'releases' | 'new') => counts.reduce((all, each) => all + each[of], 0);
  return { ms, mib, rows: sum('rows'), releases: sum('releases'), new: sum('new') };
}
