/**
 * Gives the name of a target to one host at a time, and states when that host was last seen. The
 * hosts that run register their targets again.
 */
export const targetPresence = {
  name: '0044-target-presence',
  statements: [
    `CREATE TABLE new_build_target (
      name TEXT NOT NULL PRIMARY KEY,
      host TEXT NOT NULL,
      seen_at INTEGER NOT NULL,
      last_build TEXT
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO new_build_target (name, host, seen_at, last_build)
      SELECT name, host, 0, last_build FROM build_target AS one WHERE host =
        (SELECT min(other.host) FROM build_target AS other WHERE other.name = one.name)`,
    'DROP TABLE build_target',
    'ALTER TABLE new_build_target RENAME TO build_target',
  ],
};
