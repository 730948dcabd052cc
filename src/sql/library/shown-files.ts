import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type {
  FileCounts,
  FileFilter,
  FileState,
  ShownFile,
} from '../../core/library/shown-files.ts';
import { searchWords } from '../../core/shared/search-text.ts';
import type { Database } from '../engine/engine.ts';

/** Columns of a library file that lists show. */
export const shownColumns = [
  'file.id',
  'file.name',
  'file.path',
  'file.size',
  'file.mtime_ns',
  'file.system',
  'file.state',
  'file.release_id',
  'release.name as release_name',
  'file.serial',
  'file.method',
  'file.canonical',
  'file.problem',
] as const;

/**
 * Returns a page of the list of files. First reads the ids of the page from an index alone, then
 * the rows with these ids.
 */
export async function listFiles(
  db: Database,
  filter: FileFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ShownFile[]> {
  const ids = foundFiles(db, filter)
    .select('library_file.id')
    .orderBy('library_file.name')
    .orderBy('library_file.id')
    .limit(limit)
    .offset(offset);
  const rows = await selectShown(db)
    .where('file.id', 'in', ids)
    .orderBy('file.name')
    .orderBy('file.id')
    .execute();
  return rows.map(toShown);
}

/** Returns the number of files in each state, among the files that match the filter. */
export async function countFiles(
  db: Database,
  filter: Omit<FileFilter, 'state'>,
): Promise<FileCounts> {
  const count = db.fn.countAll<number>().as('count');
  const [states, damaged] = await Promise.all([
    foundFiles(db, { ...filter, state: '' })
      .select(['library_file.state', count])
      .groupBy('library_file.state')
      .execute(),
    foundFiles(db, { ...filter, state: 'damaged' })
      .select(count)
      .executeTakeFirstOrThrow(),
  ]);
  const of = (state: FileState) => states.find((row) => row.state === state)?.count ?? 0;
  return {
    matched: of('matched'),
    'by-name': of('by-name'),
    ambiguous: of('ambiguous'),
    unknown: of('unknown'),
    damaged: damaged.count,
  };
}

/** Returns a query for library files, aliased as `file`, with the columns that lists show. */
export function selectShown(db: Database) {
  return db
    .selectFrom('library_file as file')
    .leftJoin('release', 'release.id', 'file.release_id')
    .select(shownColumns);
}

type Row = Awaited<ReturnType<ReturnType<typeof selectShown>['execute']>>[number];

export function toShown(row: Row): ShownFile {
  const { mtime_ns, release_id: releaseId, release_name, method, canonical, ...rest } = row;
  const isMatched = releaseId !== null;
  return {
    ...rest,
    mtimeNs: BigInt(mtime_ns),
    releaseId,
    releaseName: release_name,
    method: isMatched ? method : null,
    canonical: isMatched ? canonical : null,
  };
}

function foundFiles(db: Database, { search, system, state }: FileFilter) {
  let query = db
    .selectFrom('library_file')
    .where(db.dialect.interruptionPoint(sql.ref('library_file.id')));
  if (state === 'damaged') query = query.where('library_file.problem', 'is not', null);
  else if (state !== '') query = query.where('library_file.state', '=', state);
  if (system !== '') query = query.where('library_file.system', '=', system);
  for (const word of searchWords(search)) query = query.where(containsAny(db, word));
  return query;
}

function containsAny({ dialect }: Database, alternatives: readonly string[]): RawBuilder<SqlBool> {
  const text = sql.ref('library_file.search');
  const any = alternatives.map((word) => dialect.contains(text, word));
  return sql<SqlBool>`(${sql.join(any, sql` OR `)})`;
}
