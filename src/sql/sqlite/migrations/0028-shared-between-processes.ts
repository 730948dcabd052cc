/**
 * Creates the tables of login attempts and of leases, which several processes share. Adds the
 * revisions of covers, archives and the library.
 */
export const sharedBetweenProcesses = {
  name: '0028-shared-between-processes',
  statements: [
    // Times are milliseconds since 1970 by the database's clock.
    `CREATE TABLE login_try (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      network TEXT NOT NULL,
      account TEXT,
      at INTEGER NOT NULL,
      failed INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX login_try_network ON login_try (network, account, at)`,
    `CREATE INDEX login_try_at ON login_try (at)`,
    `CREATE TABLE lease (
      name TEXT PRIMARY KEY,
      holder TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    // Each login attempt locks this row, so that attempts run one at a time. The lock lasts until
    // the transaction ends.
    `INSERT INTO lease (name, holder, expires_at) VALUES ('logins', '', 0)`,
    `INSERT INTO part_revision (part, number) VALUES ('covers', 0), ('archives', 0), ('library', 0)`,
  ],
};
