export const unfinishedImport = {
  name: '0004-unfinished-import',
  statements: [
    // At most one row: from this id on, releases belong to an import that has not come to its end (or died).
    `CREATE TABLE unfinished_import (
      first_release_id INTEGER PRIMARY KEY,
      claim TEXT NOT NULL
    ) STRICT`,
    // `+`: nothing is to be looked up by this condition, which nearly every release fulfils.
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description FROM release
      WHERE +id < coalesce((SELECT first_release_id FROM unfinished_import), 9223372036854775807)`,
  ],
};
