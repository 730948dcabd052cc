import { maxKeyLength } from '../../releases/groups/group-key.ts';

/** Position of the first parenthesis or bracket after the title; 0 for none. */
const end = `instr(replace(sort_name, ' [', ' ('), ' (')`;

/** The SQL of `groupKeyOf`. A short name is taken whole, because `substr` ends at a NUL. */
const titleKey = `CASE WHEN ${end} > 1 THEN substr(sort_name, 1, min(${end} - 1, ${maxKeyLength}))
  WHEN length(sort_name) <= ${maxKeyLength} THEN sort_name
  ELSE substr(sort_name, 1, ${maxKeyLength}) END`;

/**
 * Adds the groups of releases. Releases of a platform with the same `group_key` are one group. The
 * key is the group into which an editor put the release, else the one of its sources (`cloneof`),
 * else its title. SQLite calculates the key, so existing releases have groups at once.
 */
export const releaseGroups = {
  name: '0039-release-group',
  statements: [
    `ALTER TABLE source_row ADD COLUMN clone_of TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE source_row ADD COLUMN clone_group TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE release ADD COLUMN clone_group TEXT NOT NULL DEFAULT ''`,
    'ALTER TABLE release ADD COLUMN edited_group TEXT',
    `ALTER TABLE release ADD COLUMN group_key TEXT
      GENERATED ALWAYS AS (coalesce(edited_group, nullif(clone_group, ''), ${titleKey})) VIRTUAL`,
    'CREATE INDEX release_by_group ON release (group_key, platform_id)',
    // The view of migration 0037 with the columns of groups.
    'DROP VIEW listed_release',
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, sort_name,
        clone_group, edited_group, group_key
      FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
    // Earlier imports did not read `cloneof`, so the same file must be read again. An import of a
    // file with separate facts is never skipped.
    'UPDATE import SET has_facts = 1',
  ],
};
