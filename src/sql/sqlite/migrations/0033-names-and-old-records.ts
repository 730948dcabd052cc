/**
 * Creates tables and indexes for two purposes: to count failed logins also per account, and to
 * remove old audit entries and download events.
 */
export const namesAndOldRecords = {
  name: '0033-names-and-old-records',
  statements: [
    // All columns `at` of these tables are milliseconds since 1970 by the database's clock.
    'CREATE INDEX login_try_account ON login_try (account, at)',
    `CREATE TABLE familiar_network (
      account TEXT NOT NULL,
      network TEXT NOT NULL,
      at INTEGER NOT NULL,
      PRIMARY KEY (account, network)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX familiar_network_at ON familiar_network (at)',
    `CREATE TABLE metered_try (
      account TEXT PRIMARY KEY,
      try_id INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX metered_try_at ON metered_try (at)',
    'CREATE INDEX audit_by_at ON audit (at)',
    'CREATE INDEX download_event_by_created_at ON download_event (created_at)',
  ],
};
