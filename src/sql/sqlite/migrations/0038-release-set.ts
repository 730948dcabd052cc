/**
 * Creates the sets of releases, and records when files came into the library. `added_at` is "" for
 * files that an earlier version found.
 */
export const releaseSet = {
  name: '0038-release-set',
  statements: [
    // `rule` and `prefer` contain JSON. All users see a set that has no owner.
    `CREATE TABLE release_set (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      owner_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
      shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
      rule TEXT NOT NULL,
      prefer TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`,
    `CREATE UNIQUE INDEX release_set_by_owner ON release_set (owner_id, name)
      WHERE owner_id IS NOT NULL`,
    'CREATE INDEX release_set_by_name ON release_set (name)',
    `ALTER TABLE library_file ADD COLUMN added_at TEXT NOT NULL DEFAULT ''`,
    'CREATE INDEX library_file_by_added_at ON library_file (added_at, release_id)',
  ],
};
