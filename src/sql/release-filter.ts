import { type Expression, type SqlBool, sql } from 'kysely';
import { platformKey } from '../core/imports/platform.ts';
import type { ReleaseFilter } from '../core/releases/ports.ts';
import { searchWords } from '../core/shared/search-text.ts';
import type { Database } from './engine.ts';
import { cheapest, nameContains, textContains } from './release-text-conditions.ts';
import type { Tables } from './tables.ts';

/** What a filter asks for by exact values; what is missing is not asked for. */
export interface ExactValues {
  readonly system?: string;
  /** The same without the index of systems, which gives them by name: another order would sort all of them. */
  readonly walkedSystem?: string;
  readonly platformKey?: string;
  readonly region?: string;
}
type ExactName = keyof ExactValues;
const exactNames = ['system', 'walkedSystem', 'platformKey', 'region'] as const;
export type Condition = Expression<SqlBool>;

/**
 * The releases that have these values and for which these conditions hold; `all` with those that an unfinished import
 * hides, which costs less.
 */
export function filteredBy(
  db: Database,
  which: 'listed' | 'all',
  values: ExactValues,
  conditions: readonly Condition[],
) {
  const query = filteredExactly(db, which, values, (name) => sql.val(values[name] ?? '')).where(
    inTime(db),
  );
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

/** What a filter asks of the texts and the library, each condition in its cheapest form; none where it asks for nothing. */
export async function otherConditions(
  db: Database,
  { q, search, library = '' }: ReleaseFilter,
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  if (q !== '') conditions.push(await nameContains(db, q));
  for (const word of searchWords(search)) conditions.push(await textContains(db, word));
  if (library === 'have') conditions.push(await cheapest(db, hadReleases, isHad));
  if (library === 'missing') conditions.push(sql`NOT ${isHad}`);
  return conditions;
}

const hadReleases = sql`SELECT release_id AS id FROM library_file WHERE release_id IS NOT NULL`;
const isHad = sql<SqlBool>`EXISTS (SELECT 1 FROM library_file WHERE library_file.release_id = release.id)`;

/** The values that `filteredExactly` compares with. */
export function exactValues({ system, platform, region }: ReleaseFilter): ExactValues {
  return {
    ...(system !== '' && { system }),
    ...(platform !== '' && { platformKey: platformKey(platform) }),
    ...(region !== '' && { region: region.trim() }),
  };
}

/** The query depends on which values there are, and on them only through `param`. */
export function filteredExactly(
  db: Database,
  which: 'listed' | 'all',
  values: ExactValues,
  param: (name: ExactName) => Expression<string>,
) {
  const table = sql.table(which === 'all' ? 'release' : 'listed_release');
  const query = db.selectFrom(sql<Tables['listed_release']>`${table}`.as('release'));
  const names = exactNames.filter((name) => values[name] !== undefined);
  const conditions = names.map((name) => exactConditions[name](db, param(name)));
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query);
}

const inTime = ({ dialect }: Database): Condition => dialect.endsInTime(sql.ref('release.id'));

const exactConditions: Record<ExactName, (db: Database, value: Expression<string>) => Condition> = {
  system: (_db, value) => sql`release.system = ${value}`,
  walkedSystem: (db, value) => sql`(${inTime(db)} AND release.system || '' = ${value})`,
  platformKey: (_db, value) => ofPlatform(value),
  region: (db, value) => sql`(${inTime(db)} AND ${hasRegion(db, value)})`,
};

export function ofPlatform(key: Expression<string>): Condition {
  return sql`release.platform_id = (SELECT id FROM platform WHERE key = ${key})`;
}

/** "Europe" finds "USA, Europe", and "USA,Europe" too. */
export function hasRegion(db: Database, region: Expression<unknown>): Condition {
  const all = sql`',' || replace(replace(release.region, ', ', ','), ' ,', ',') || ','`;
  return db.dialect.contains(sql`lower(${all})`, sql`lower(',' || ${region} || ',')`);
}
