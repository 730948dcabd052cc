export const unfinishedImport = {
  name: '0004-unfinished-import',
  statements: [
    // At most one row: from this id on, releases belong to an import that has not come to its end (or died).
    `CREATE TABLE unfinished_import (
      first_release_id INTEGER PRIMARY KEY,
      claim TEXT NOT NULL
    ) STRICT`,
    // Nearly always there is no such import, which is asked once per statement and not per row. `+`: nothing is to be
    // looked up by this condition.
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
