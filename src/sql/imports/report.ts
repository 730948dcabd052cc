import { type RawBuilder, sql } from 'kysely';
import type {
  ImportCounts,
  ImportedDat,
  ImportOutcome,
  ImportSamples,
} from '../../core/imports/ports.ts';
import { ownFields } from '../../core/shared/release-fields.ts';
import type { Database } from '../engine/engine.ts';
import { isEdited } from './plan/precedence.ts';
import type { StagingDatabase } from './stage/staging-run.ts';

/** Maximum number of release names that the report lists for each kind of change. */
const maxSamples = 20;

/**
 * The number and the first names of the releases that the import removed, or that a preview would
 * remove.
 */
export interface Pruned {
  readonly count: number;
  readonly names: readonly string[];
}

export interface RowReport {
  readonly counts: Omit<ImportCounts, 'rows' | 'refusedRows' | 'tooLongRows' | 'pruned' | 'filled'>;
  readonly samples: Omit<ImportSamples, 'pruned' | 'refusedRows'>;
}

/**
 * Reports the changes that the planned rows will make. `sourceId` is null for a new source. Reads
 * `staged_row`, `matched_row`, `changed_release` and `gone_release`.
 */
export async function reportRows(db: StagingDatabase, sourceId: number | null): Promise<RowReport> {
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${sql.table('matched_row')} AS matched
    WHERE matched.position = staged.position)`;
  const newRows = sql`SELECT name FROM ${staged} WHERE ${isNew} ORDER BY position`;
  const gone = sql`SELECT name FROM ${sql.table('gone_release')} ORDER BY release_id`;
  const renamed = sql`SELECT own.name || ' -> ' || staged.name AS name
    FROM ${changedRows} JOIN source_row AS own
      ON own.source_id = ${sourceId} AND own.release_id = changed.release_id
    WHERE changed.how = 'renamed' ORDER BY changed.position`;
  const ofKind = (how: string) => sql`SELECT staged.name FROM ${changedRows}
    WHERE changed.how = ${how} ORDER BY changed.position`;
  const protectedFields = protectedTexts(sourceId);
  const [protectedCount = 0, matchedCount = 0, stagedCount = 0, goneCount = 0] = await count(db, [
    protectedFields,
    sql`SELECT 1 FROM ${sql.table('matched_row')}`,
    sql`SELECT 1 FROM ${staged}`,
    gone,
  ]);
  const samples = await sample(db, {
    new: newRows,
    changed: ofKind('changed'),
    renamed,
    joined: ofKind('joined'),
    gone,
    protected: protectedCount > 0 ? protectedFields : null,
  });
  const of = await countChanges(db);
  const known = matchedCount - of('joined');
  const added = stagedCount - matchedCount;
  const changed = of('changed') + of('renamed');
  return {
    counts: {
      releases: added + of('joined') + known,
      new: added,
      joined: of('joined'),
      changed,
      renamed: of('renamed'),
      unchanged: known - changed,
      gone: goneCount,
      protected: protectedCount,
    },
    samples,
  };
}

const staged = sql`${sql.table('staged_row')} AS staged`;
const changedRows = sql`${sql.table('changed_release')} AS changed
  JOIN ${staged} ON staged.position = changed.position`;

/**
 * Returns the report of a metadata file. Such a file has no rows to report, so the report only
 * lists the fields from `protectedFields`, which are fields of edited releases.
 */
export async function reportFacts(
  db: Database,
  protectedFields: RawBuilder<unknown>,
): Promise<RowReport> {
  const edits = await db.selectFrom('release_edit').select('release_id').limit(1).execute();
  const [protectedCount = 0] = edits.length > 0 ? await count(db, [protectedFields]) : [];
  const samples = await sample(db, { protected: protectedCount > 0 ? protectedFields : null });
  return {
    counts: { ...noCounts, protected: protectedCount },
    samples: { ...noSamples, ...samples },
  };
}

const noCounts = {
  releases: 0,
  new: 0,
  joined: 0,
  changed: 0,
  renamed: 0,
  unchanged: 0,
  gone: 0,
};
const noSamples = { new: [], changed: [], renamed: [], joined: [], gone: [] };

/** Returns the report of a DAT whose data is the same as at the source's last import. */
export function unchangedReport(releases: number): RowReport {
  return {
    counts: { ...noCounts, releases, unchanged: releases, protected: 0 },
    samples: { ...noSamples, protected: [] },
  };
}

export function outcomeOf(
  dat: ImportedDat,
  { report, filled, pruned }: { report: RowReport; filled: number; pruned: Pruned },
): ImportOutcome {
  return {
    counts: {
      rows: dat.rows,
      ...report.counts,
      pruned: pruned.count,
      filled,
      refusedRows: dat.refusedRows.count,
      tooLongRows: dat.refusedRows.tooLong,
    },
    samples: {
      ...report.samples,
      pruned: pruned.names,
      refusedRows: dat.refusedRows.samples,
    },
  };
}

/**
 * Returns a query for the texts that the DAT would change if users had not edited them. Each row is
 * a message for the report.
 */
function protectedTexts(sourceId: number | null): RawBuilder<unknown> {
  const fields = ownFields.map((field) => {
    const [shown, stated] = [sql.ref(`release.${field}`), sql.ref(`staged.${field}`)];
    return sql`SELECT release.name || ': ' || ${sql.lit(field)} || ' stays ' || ${shown}
        || ', the DAT says ' || ${stated} AS name
      FROM ${changedRows} JOIN release ON release.id = changed.release_id
      JOIN source_row AS own ON own.source_id = ${sourceId} AND own.release_id = release.id
      WHERE changed.is_shown AND ${isEdited(sql.ref('release.id'), field)}
        AND ${stated} <> ${sql.ref(`own.${field}`)} AND ${stated} <> ${shown}`;
  });
  return sql.join(fields, sql` UNION ALL `);
}

async function countChanges(db: StagingDatabase): Promise<(how: string) => number> {
  const rows = await db
    .selectFrom('changed_release')
    .select(['how', (is) => is.fn.countAll<number>().as('count')])
    .groupBy('how')
    .execute();
  const counts = new Map(rows.map((row) => [row.how, row.count]));
  return (how) => counts.get(how) ?? 0;
}

/** Returns the number of rows of each query. */
async function count(db: Database, queries: readonly RawBuilder<unknown>[]): Promise<number[]> {
  const results = await db.runAll<{ count: number }>(
    queries.map((query) => sql`SELECT count(*) AS count FROM (${query}) AS counted`),
  );
  return results.map(({ rows }) => rows[0]?.count ?? 0);
}

/** Returns the first names that each query returns; none for null. */
async function sample<Kind extends string>(
  db: Database,
  queries: Readonly<Record<Kind, RawBuilder<unknown> | null>>,
): Promise<Record<Kind, string[]>> {
  const kinds = Object.keys(queries) as Kind[];
  const asked = kinds.filter((kind) => queries[kind] !== null);
  const results = await db.runAll<{ name: string }>(
    asked.map((kind) => sql`SELECT name FROM (${queries[kind]}) AS sampled LIMIT ${maxSamples}`),
  );
  const namesOf = (kind: Kind) => results[asked.indexOf(kind)]?.rows.map(({ name }) => name) ?? [];
  return Object.fromEntries(kinds.map((kind) => [kind, namesOf(kind)])) as Record<Kind, string[]>;
}
