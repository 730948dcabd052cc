import { digest, start, text } from './texts.ts';

/** Creates the tables for searching and counting releases. */
export const search = [
  // A source_id of 0 marks serials of the release itself, which were entered by hand or come from a
  // metadata file.
  `CREATE TABLE release_serial (
    release_id bigint NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    source_id bigint NOT NULL,
    serial ${text} NOT NULL
  )`,
  `CREATE UNIQUE INDEX release_serial_key ON release_serial (release_id, source_id, ${digest('serial')})`,
  `CREATE INDEX release_serial_by_serial ON release_serial (${start('serial')})`,
  `CREATE TABLE release_text (
    release_id bigint PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
    own ${text} NOT NULL,
    text ${text} NOT NULL,
    filled ${text} NOT NULL DEFAULT ''
  )`,
  // Indexes for substring search. Their trigrams narrow down a LIKE (PostgreSQL, "pg_trgm").
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX release_name_trigrams ON release USING gin (name gin_trgm_ops)',
  'CREATE INDEX release_text_trigrams ON release_text USING gin (text gin_trgm_ops)',
  // The number of releases with each combination of these values. platform_id is 0 for releases
  // without a platform. The releases of an unfinished import are counted separately.
  `CREATE TABLE release_count (
    hidden boolean NOT NULL,
    system ${text} NOT NULL,
    platform_id bigint NOT NULL,
    region ${text} NOT NULL,
    initial ${text} NOT NULL,
    releases bigint NOT NULL
  )`,
  `CREATE UNIQUE INDEX release_count_key
    ON release_count (hidden, system, platform_id, ${digest('region')}, initial)`,
];
