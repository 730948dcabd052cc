import { givenId, text } from './0028/texts.ts';

/**
 * Creates the sets of releases, and records when files came into the library. `added_at` is "" for
 * files that an earlier version found.
 */
export const releaseSet = {
  version: 38,
  name: '0038-release-set',
  statements: [
    // `rule` and `prefer` contain JSON. All users see a set that has no owner.
    `CREATE TABLE release_set (
      id ${givenId},
      name ${text} NOT NULL,
      owner_id bigint REFERENCES "user" (id) ON DELETE SET NULL,
      shared boolean NOT NULL,
      rule ${text} NOT NULL,
      prefer ${text},
      created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL
    )`,
    `CREATE UNIQUE INDEX release_set_by_owner ON release_set (owner_id, name)
      WHERE owner_id IS NOT NULL`,
    'CREATE INDEX release_set_by_name ON release_set (name, id)',
    `ALTER TABLE library_file ADD COLUMN added_at ${text} NOT NULL DEFAULT ''`,
    'CREATE INDEX library_file_by_added_at ON library_file (added_at, release_id)',
  ],
};
