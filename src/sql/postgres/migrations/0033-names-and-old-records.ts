import { text } from './0028/texts.ts';

/**
 * Creates tables and indexes for two purposes: to count failed logins also per account, and to
 * remove old audit entries and download events.
 */
export const namesAndOldRecords = {
  version: 33,
  name: '0033-names-and-old-records',
  statements: [
    // All columns `at` of these tables are milliseconds since 1970 by the database's clock.
    'CREATE INDEX login_try_account ON login_try (account, at)',
    `CREATE TABLE familiar_network (
      account ${text} NOT NULL,
      network ${text} NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (account, network)
    )`,
    'CREATE INDEX familiar_network_at ON familiar_network (at)',
    `CREATE TABLE metered_try (
      account ${text} PRIMARY KEY,
      try_id bigint NOT NULL,
      at bigint NOT NULL
    )`,
    'CREATE INDEX metered_try_at ON metered_try (at)',
    'CREATE INDEX audit_by_at ON audit (at)',
    'CREATE INDEX download_event_by_created_at ON download_event (created_at)',
  ],
};
