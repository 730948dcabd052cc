import type {
  ImportCounts,
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportSamples,
} from '../../core/imports/ports.ts';
import type { Actor } from '../../core/shared/actor.ts';
import { actorName } from '../audit.ts';
import type { Database } from '../engine.ts';

/** Remembers an import; returns its id. */
export async function insertImport(
  trx: Database,
  done: {
    dat: ImportedDat;
    platformId: number;
    sourceId: number | null;
    outcome: ImportOutcome;
    at: string;
    actor: Actor;
  },
): Promise<number> {
  const { dat, outcome } = done;
  const { id } = await trx
    .insertInto('import')
    .values({
      platform_id: done.platformId,
      source_id: done.sourceId,
      file_name: dat.fileName,
      sha256: dat.sha256,
      header: JSON.stringify(dat.header),
      version: dat.header.version,
      imported_at: done.at,
      imported_by: actorName(done.actor),
      counts: JSON.stringify(outcome.counts),
      samples: JSON.stringify(outcome.samples),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The source whose last import was this very file, and how many releases that described; null when there is none. What
 * a source says changes only by its imports, so such a file changes nothing and needs no comparing.
 */
export async function findSameFile(
  db: Database,
  platformId: number | null,
  sha256: string,
): Promise<{ sourceId: number; releases: number } | null> {
  const row = await db
    .selectFrom('import')
    .select(['source_id', 'counts'])
    .where('platform_id', '=', platformId)
    .where('sha256', '=', sha256)
    .where('source_id', 'is not', null)
    .where('id', 'in', (last) =>
      last.selectFrom('import').select(last.fn.max('id').as('id')).groupBy('source_id'),
    )
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row || row.source_id === null) return null;
  const { releases }: ImportCounts = JSON.parse(row.counts);
  return { sourceId: row.source_id, releases };
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
  // Imports of earlier versions did not name what they pruned.
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
  return { ...row, source: row.source ?? '', counts: JSON.parse(row.counts) };
}
