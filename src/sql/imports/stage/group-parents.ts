import { type RawBuilder, sql } from 'kysely';

const staged = sql.table('staged_row');
const own = (column: string) => sql.ref(`staged_row.${column}`);

/**
 * Returns two statements. The first resolves parents that rows reference by an id. The second gives
 * each parent the group of its variants, so that the parent keeps this group when an editor renames
 * it. Reads and writes `staged_row`.
 */
export function groupParents(): RawBuilder<unknown>[] {
  const resolve = sql`UPDATE ${staged} SET clone_of = parent.name, clone_group = parent.own_group
    FROM (SELECT dat_id, min(name) AS name, min(own_group) AS own_group FROM ${staged}
      WHERE dat_id <> '' GROUP BY dat_id HAVING count(*) = 1) AS parent
    WHERE ${own('clone_of_id')} <> '' AND ${own('clone_of_id')} <> ${own('dat_id')}
      AND ${own('clone_of')} = '' AND parent.dat_id = ${own('clone_of_id')}`;
  const group = sql`UPDATE ${staged} SET clone_group = parent.clone_group
    FROM (SELECT clone_of, min(clone_group) AS clone_group FROM ${staged}
      WHERE clone_of <> '' GROUP BY clone_of) AS parent
    WHERE parent.clone_of = ${own('name')} AND ${own('clone_group')} = ''`;
  return [resolve, group];
}
