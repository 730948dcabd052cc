import { type Expression, type SqlBool, sql } from 'kysely';
import { filterValues } from '../../../core/releases/filter-values.ts';
import type { RecordFilter } from '../../../core/releases/ports.ts';
import type { Database } from '../../engine/engine.ts';

/** The values of the metadata by which a list can be filtered. */
export const metaNames = ['genre', 'year', 'publisher'] as const;
export type MetaName = (typeof metaNames)[number];

/** Returns the SQL of a value, in the form that the indexes contain. */
export function metaValue(name: MetaName): Expression<string | null> {
  return name === 'year'
    ? sql`substr(release_meta.release_date, 1, 4)`
    : sql.ref(`release_meta.${name}`);
}

const isYear = (text: string) => /^[0-9]{4}$/.test(text);

/** Returns true for a value that facets list. Years consist of four digits. */
export function isListedValue(name: MetaName, value: string): boolean {
  return name !== 'year' || isYear(value);
}

/** Returns the condition on `release_meta` that a filter requires; null if it requires none. */
export function metaCondition(
  { dialect }: Database,
  name: MetaName,
  filter: RecordFilter,
): Expression<SqlBool> | null {
  const values = filterValues(filter[name] ?? '');
  if (values.length === 0) return null;
  if (name === 'year') return sql`${metaValue(name)} IN ${dialect.list(values.filter(isYear))}`;
  return dialect.isOneOf(metaValue(name), values);
}
