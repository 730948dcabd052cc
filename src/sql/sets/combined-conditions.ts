import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

type Condition = Expression<SqlBool>;

/** Returns the condition that all of these conditions are true. True for no conditions. */
export function allOf(conditions: readonly Condition[]): Condition {
  return combined(conditions, sql` AND `, sql<SqlBool>`true`);
}

/** Returns the condition that at least one of these conditions is true. False for no conditions. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return combined(conditions, sql` OR `, sql<SqlBool>`false`);
}

/** Maximum number of conditions or queries that are combined on one level. */
const maxTogether = 20;

/**
 * Combines conditions as a tree of small groups. A database may count each condition of a long list
 * as another level, and allow only 1,000 levels.
 */
function combined(
  conditions: readonly Condition[],
  operator: RawBuilder<unknown>,
  empty: Condition,
): Condition {
  if (conditions.length === 0) return empty;
  if (conditions.length <= maxTogether) return sql`(${sql.join(conditions, operator)})`;
  const size = Math.ceil(conditions.length / maxTogether);
  const groups = Array.from({ length: Math.ceil(conditions.length / size) }, (_, i) =>
    combined(conditions.slice(i * size, (i + 1) * size), operator, empty),
  );
  return combined(groups, operator, empty);
}

/**
 * Returns the query for all rows of these queries. Returns null if there are no queries or more
 * than `maxTogether`, or if one of them is null.
 */
export function unionOf(
  queries: readonly (RawBuilder<unknown> | null)[],
): RawBuilder<unknown> | null {
  const known = queries.filter((query) => query !== null);
  const isUsable = known.length > 0 && known.length <= maxTogether;
  return isUsable && known.length === queries.length ? sql.join(known, sql` UNION ALL `) : null;
}
