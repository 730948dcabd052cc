import { join } from 'node:path';
import type { BareInsert } from './bare-insert.ts';
import { generatedDats } from './dats.ts';
import type { Row } from './table.ts';
import { askChild, runCatalog } from './work.ts';

/** What `catalog import --json` prints, as far as it is needed. */
interface Report {
  readonly files: readonly {
    readonly refused?: string;
    readonly counts?: { readonly rows: number; readonly releases: number; readonly new: number };
  }[];
}

/**
 * `catalog import` into a new data folder, then once more, each from start to exit: against bare inserts of the same
 * releases and ROMs, already parsed, in one transaction; and the second time against the first.
 */
export async function importRows(options: {
  dats: readonly string[];
  data: string;
}): Promise<{ rows: Row[]; releases: number }> {
  const { dats, data } = options;
  const bare = await askChild<BareInsert>('bare-insert.ts', { dats, file: `${data}-bare.db` });
  const first = await timedImport(dats, data);
  const second = await timedImport(dats, data);
  if (second.new > 0) throw new Error(`${second.new} releases are new in the second import`);
  const what = `import of ${first.rows} rows`;
  const unit = 'ms';
  return {
    releases: first.releases,
    rows: [
      {
        what,
        unit,
        catalog: first.ms,
        reference: bare.ms,
        against: 'bare prepared inserts, parsed before',
        ratio: first.ms / bare.ms,
        detail: { releases: first.releases },
      },
      {
        what: `${what}, again`,
        unit,
        catalog: second.ms,
        reference: first.ms,
        against: 'the first import',
        ratio: second.ms / first.ms,
      },
    ],
  };
}

/** The import of one DAT whose rows are in no order, against that of the same rows in the order of their names. */
export async function shuffledImportRow(options: { folder: string; rows: number }): Promise<Row> {
  const { folder, rows } = options;
  const timed = async (shuffled: boolean) => {
    const name = join(folder, shuffled ? 'shuffled' : 'by-name');
    const dats = await generatedDats(`${name}-dats`, [rows], 0, { shuffled });
    return timedImport(dats, name);
  };
  const byName = await timed(false);
  const shuffled = await timed(true);
  if (shuffled.new !== byName.new) throw new Error(`${shuffled.new} are new, not ${byName.new}`);
  return {
    what: `import of ${rows} shuffled rows`,
    unit: 'ms',
    catalog: shuffled.ms,
    reference: byName.ms,
    against: 'the same in the order of their names; at most 1.5',
    ratio: shuffled.ms / byName.ms,
  };
}

/** One `catalog import` from start to exit; `new` and `releases` as its report counts them. */
export async function timedImport(dats: readonly string[], data: string) {
  const started = performance.now();
  const output = await runCatalog(['import', '--json', '--data', data, ...dats]);
  const ms = performance.now() - started;
  const counts = (JSON.parse(output) as Report).files.map((file) => {
    if (file.counts === undefined) throw new Error(file.refused ?? 'the report has no counts');
    return file.counts;
  });
  const sum = (of: 'rows' | 'releases' | 'new') => counts.reduce((all, each) => all + each[of], 0);
  return { ms, rows: sum('rows'), releases: sum('releases'), new: sum('new') };
}
