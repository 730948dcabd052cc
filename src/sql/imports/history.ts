import type {
  ImportCounts,
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportSamples,
} from '../../core/imports/ports.ts';
import type { Author } from '../accounts/write-as.ts';
import { actorName, recordAudit } from '../audit/audit.ts';
import type { Database } from '../engine/engine.ts';

/** Adds a finished import to the history and to the audit. */
export async function recordImport(
  trx: Database,
  done: {
    dat: ImportedDat;
    platformId: number;
    sourceId: number | null;
    outcome: ImportOutcome;
    at: string;
    author: Author;
  },
): Promise<void> {
  const { dat, outcome, at, author } = done;
  const { id } = await trx
    .insertInto('import')
    .values({
      platform_id: done.platformId,
      source_id: done.sourceId,
      has_facts: dat.hasFacts,
      file_name: dat.fileName,
      sha256: dat.sha256,
      header: JSON.stringify(dat.header),
      version: dat.header.version,
      imported_at: at,
      imported_by: actorName(author),
      counts: JSON.stringify(outcome.counts),
      samples: JSON.stringify(outcome.samples),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const detail = { file: dat.fileName, platform: dat.header.name, ...outcome.counts };
  await recordAudit(trx, at, author, 'import', `import/${id}`, detail);
}

/** The most recent import of a source. */
export interface LastImport {
  readonly platformId: number;
  readonly sourceId: number;
  readonly dat: Omit<ImportedDat, 'fileName'>;
  /** Number of releases in the file. */
  readonly releases: number;
}

/**
 * Returns the most recent import of a source, if the imported file had this SHA-256. If several
 * sources match, returns the newest import. If no source matches, returns null. Ignores files with
 * metadata, because other files may have changed the facts since.
 */
export async function findLastImport(db: Database, sha256: string): Promise<LastImport | null> {
  const row = await db
    .selectFrom('import')
    .select(['platform_id', 'source_id', 'header', 'counts', 'samples'])
    .where('sha256', '=', sha256)
    .where('source_id', 'is not', null)
    .where('has_facts', '=', false)
    .where('id', 'in', (last) =>
      last.selectFrom('import').select(last.fn.max('id').as('id')).groupBy('source_id'),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row || row.source_id === null) return null;
  const { rows, releases, refusedRows, tooLongRows } = countsOf(row);
  const samples: ImportSamples = JSON.parse(row.samples);
  const dat = {
    sha256,
    header: JSON.parse(row.header),
    kind: 'dat',
    hasFacts: false,
    rows,
    refusedRows: { count: refusedRows, tooLong: tooLongRows, samples: samples.refusedRows },
  } as const;
  return { platformId: row.platform_id, sourceId: row.source_id, dat, releases };
}

export async function listImports(
  db: Database,
  limit: number,
  offset: number,
): Promise<ImportRecord[]> {
  const rows = await selectImports(db)
    .orderBy('import.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(toRecord);
}

export async function findImport(
  db: Database,
  id: number,
): Promise<(ImportRecord & { samples: ImportSamples }) | null> {
  const row = await selectImports(db)
    .select('import.samples')
    .where('import.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  // Imports by earlier versions did not record the names of pruned releases.
  const samples: ImportSamples = { pruned: [], ...JSON.parse(row.samples) };
  return { ...toRecord(row), samples };
}

function selectImports(db: Database) {
  return db
    .selectFrom('import')
    .innerJoin('platform', 'platform.id', 'import.platform_id')
    .leftJoin('source', 'source.id', 'import.source_id')
    .select([
      'import.id',
      'platform.name as platform',
      'import.source_id as sourceId',
      'source.name as source',
      'source.system',
      'import.file_name as fileName',
      'import.sha256',
      'import.version',
      'import.imported_at as importedAt',
      'import.imported_by as importedBy',
      'import.counts',
    ]);
}

function toRecord(
  row: Omit<ImportRecord, 'counts' | 'source'> & { counts: string; source: string | null },
): ImportRecord {
  return { ...row, source: row.source ?? '', counts: countsOf(row) };
}

/** Earlier versions did not skip rows that are too long, so their counts lack `tooLongRows`. */
function countsOf({ counts }: { counts: string }): ImportCounts {
  return { tooLongRows: 0, ...JSON.parse(counts) };
}
