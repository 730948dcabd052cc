import { type RawBuilder, sql } from 'kysely';
import type {
  ImportCounts,
  ImportedDat,
  ImportOutcome,
  ImportSamples,
} from '../../core/imports/ports.ts';
import type { Database } from '../engine.ts';

/** Names that are told of each kind. */
const mostSamples = 20;

/** What was or would be removed: how many, and the names of the first. */
export interface Pruned {
  readonly count: number;
  readonly names: readonly string[];
}

export interface RowReport {
  readonly counts: Omit<ImportCounts, 'rows' | 'refusedRows' | 'pruned' | 'filled'>;
  readonly samples: Omit<ImportSamples, 'pruned' | 'refusedRows'>;
}

/** What the planned rows will do. */
export async function reportRows(trx: Database, sourceId: number): Promise<RowReport> {
  const protectedFields = protectedQuery(sourceId);
  const gone = sql`SELECT name FROM stage_gone ORDER BY release_id`;
  const [hows, goneRows, protectedRows] = [
    await counted(trx, sql`SELECT how, count(*) AS count FROM stage_row GROUP BY how`),
    await counted(trx, sql`SELECT 'gone' AS how, count(*) AS count FROM (${gone})`),
    await counted(trx, sql`SELECT 'protected' AS how, count(*) AS count FROM (${protectedFields})`),
  ];
  const of = (how: string) => hows.get(how) ?? 0;
  const names = (how: string) =>
    sql`SELECT name FROM stage_row WHERE how = ${how} ORDER BY position`;
  return {
    counts: {
      releases: of('new') + of('joined') + of('changed') + of('renamed') + of('own'),
      new: of('new'),
      joined: of('joined'),
      changed: of('changed') + of('renamed'),
      renamed: of('renamed'),
      unchanged: of('own'),
      gone: goneRows.get('gone') ?? 0,
      protected: protectedRows.get('protected') ?? 0,
    },
    samples: {
      new: await sampled(trx, names('new')),
      changed: await sampled(trx, names('changed')),
      renamed: await sampled(
        trx,
        sql`SELECT r.name || ' -> ' || s.name AS name FROM stage_row AS s
          JOIN source_row AS r ON r.release_id = s.release_id AND r.source_id = ${sourceId}
          WHERE how = 'renamed' ORDER BY position`,
      ),
      joined: await sampled(trx, names('joined')),
      gone: await sampled(trx, gone),
      protected: await sampled(trx, protectedFields),
    },
  };
}

/** A metadata file has no rows to report, only the fields that `protectedFields` gives. */
export async function reportFacts(
  trx: Database,
  protectedFields: RawBuilder<unknown>,
): Promise<RowReport> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*) AS count FROM (${protectedFields})`.execute(trx);
  return {
    counts: { ...noCounts, protected: rows[0]?.count ?? 0 },
    samples: { ...noSamples, protected: await sampled(trx, protectedFields) },
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

/** The report of a DAT that says what its source said already. */
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
    },
    samples: {
      ...report.samples,
      pruned: pruned.names,
      refusedRows: dat.refusedRows.samples,
    },
  };
}

/** Fields that the DAT changes and that keep what was written by hand. */
function protectedQuery(sourceId: number): RawBuilder<unknown> {
  const fields = ['name', 'region', 'serial', 'description'].map((field) => {
    const theirs = sql.ref(`stage_row.${field}`);
    return sql`SELECT release.name || ': ' || ${field} || ' stays ' || ${sql.ref(`release.${field}`)}
        || ', the DAT says ' || ${theirs} AS name
      FROM stage_change JOIN stage_row USING (position)
      JOIN release_edit AS e ON e.release_id = stage_row.release_id AND e.field = ${field}
      JOIN release ON release.id = stage_row.release_id
      JOIN source_row AS r ON r.release_id = stage_row.release_id AND r.source_id = ${sourceId}
      WHERE stage_change.is_shown AND ${theirs} <> ${sql.ref(`r.${field}`)} AND ${theirs} <> ${sql.ref(`release.${field}`)}`;
  });
  return sql.join(fields, sql` UNION ALL `);
}

async function counted(trx: Database, query: RawBuilder<unknown>): Promise<Map<string, number>> {
  const { rows } = await sql<{ how: string; count: number }>`${query}`.execute(trx);
  return new Map(rows.map((row) => [row.how, row.count]));
}

async function sampled(trx: Database, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM (${query}) LIMIT ${mostSamples}`.execute(trx);
  return rows.map((row) => row.name);
}
