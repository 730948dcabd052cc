import { storeAllKinds } from '../../sets/store-all-kinds.ts';
import type { MigrationQuery } from '../migration-query.ts';
import { toArray } from '../values.ts';
import { lettersColumn } from './0031-search-letters.ts';

/**
 * Stores the kinds that the names of releases state, as bits (`kindBitsOf`). Conditions on tags
 * compare them.
 */
export const releaseKinds = {
  version: 45,
  name: '0045-release-kinds',
  statements: [
    'ALTER TABLE release ADD COLUMN kinds bigint NOT NULL DEFAULT 0',
    `CREATE OR REPLACE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, ${lettersColumn}, sort_name,
        clone_group, edited_group, group_key, kinds
      FROM release
      WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true)`,
  ],
  work: (query: MigrationQuery) =>
    storeAllKinds({
      async read(afterId, limit) {
        const rows = await query(
          'SELECT id, name FROM release WHERE id > $1 ORDER BY id LIMIT $2',
          [afterId, limit],
        );
        return rows.map(({ id, name }) => ({ id: Number(id), name: String(name) }));
      },
      async write(bits, ids) {
        await query('UPDATE release SET kinds = $1 WHERE id = ANY ($2::bigint[])', [
          bits,
          toArray(ids),
        ]);
      },
    }),
};
