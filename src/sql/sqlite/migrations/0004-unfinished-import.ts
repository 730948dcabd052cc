export const unfinishedImport = {
  name: '0004-unfinished-import',
  statements: [
    // At most one row: releases from this id on belong to an import that is unfinished (or died).
    `CREATE TABLE unfinished_import (
      first_release_id INTEGER PRIMARY KEY,
      claim TEXT NOT NULL
    ) STRICT`,
    // Usually there is no such import. That is checked once per statement, not per row. The `+`
    // keeps SQLite from using an index for this condition.
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
