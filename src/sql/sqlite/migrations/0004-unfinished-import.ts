export const unfinishedImport = {
  name: '0004-unfinished-import',
  statements: [
    // At most one row. Releases from `first_release_id` on belong to an import that is unfinished
    // or was interrupted.
    `CREATE TABLE unfinished_import (
      first_release_id INTEGER PRIMARY KEY,
      claim TEXT NOT NULL
    ) STRICT`,
    // Usually no import is unfinished. The first condition is then true for all rows and is
    // evaluated once per statement. The `+` prevents SQLite from using an index for the second
    // condition.
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
