import { maxKeyLength } from '../../releases/groups/group-key.ts';
import { text } from './0028/texts.ts';
import { lettersColumn } from './0031-search-letters.ts';

const key = 'sort_name_of(name)';
/** Position of the first parenthesis or bracket after the title; 0 for none. */
const end = `strpos(replace(${key}, ' [', ' ('), ' (')`;

/** The SQL of `groupKeyOf`. */
const titleKey = `left(CASE WHEN ${end} > 1 THEN left(${key}, ${end} - 1) ELSE ${key} END, ${maxKeyLength})`;

/**
 * Adds the groups of releases. Releases of a platform with the same `group_key` are one group. The
 * key is the group into which an editor put the release, else the one of its sources (`cloneof`),
 * else its title. The server calculates the key, so existing releases have groups at once.
 */
export const releaseGroups = {
  version: 39,
  name: '0039-release-group',
  statements: [
    `ALTER TABLE source_row ADD COLUMN clone_of ${text} NOT NULL DEFAULT '',
      ADD COLUMN clone_group ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE release ADD COLUMN clone_group ${text} NOT NULL DEFAULT '',
      ADD COLUMN edited_group ${text}`,
    `CREATE FUNCTION group_key_of(name text, clone_group text, edited_group text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN coalesce(edited_group, nullif(clone_group, ''), ${titleKey})`,
    `ALTER TABLE release ADD COLUMN group_key ${text}
      GENERATED ALWAYS AS (group_key_of(name, clone_group, edited_group)) STORED`,
    `CREATE OR REPLACE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, ${lettersColumn}, sort_name,
        clone_group, edited_group, group_key
      FROM release
      WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true)`,
    'CREATE INDEX release_by_group ON release (group_key, platform_id)',
    // Earlier imports did not read `cloneof`, so the same file must be read again. An import of a
    // file with separate facts is never skipped.
    'UPDATE import SET has_facts = true',
    // New columns have no statistics for the planner until ANALYZE runs.
    'DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; END IF; END $$',
  ],
};
