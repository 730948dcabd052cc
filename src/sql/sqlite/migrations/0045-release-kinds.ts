import { type Kysely, sql } from 'kysely';
import { storeAllKinds } from '../../sets/store-all-kinds.ts';
import type { Tables } from '../../tables.ts';

const statements = [
  'ALTER TABLE release ADD COLUMN kinds INTEGER NOT NULL DEFAULT 0',
  // The view of migration 0039 with the new column `kinds`.
  'DROP VIEW listed_release',
  `CREATE VIEW listed_release AS
    SELECT id, platform_id, system, name, region, serial, description, revision, sort_name,
      clone_group, edited_group, group_key, kinds
    FROM release
    WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
      OR +id < (SELECT first_release_id FROM unfinished_import)`,
];

/**
 * Stores the kinds that the names of releases state, as bits (`kindBitsOf`). Conditions on tags
 * compare them.
 */
export const releaseKinds = {
  name: '0045-release-kinds',
  async statements(trx: Kysely<Tables>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(trx);
    await storeAllKinds({
      async read(afterId, limit) {
        const { rows } = await sql<{ id: number; name: string }>`SELECT id, name FROM release
          WHERE id > ${afterId} ORDER BY id LIMIT ${limit}`.execute(trx);
        return rows;
      },
      async write(bits, ids) {
        await sql`UPDATE release SET kinds = ${bits}
          WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.execute(trx);
      },
    });
  },
};
