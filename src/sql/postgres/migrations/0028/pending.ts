import { digest, text } from './texts.ts';

/**
 * Creates the tables for deferred counting. Many transactions change the same few rows: revisions,
 * counts of releases, downloads of a day. Each transaction changes these rows only at its commit,
 * in a fixed order. A transaction therefore waits at most for the commit of another transaction.
 * Deadlocks are impossible, whatever the transactions did before.
 *
 * Until the commit, the tables store the changes of each transaction. After a crash, remaining rows
 * would belong to no transaction. The tables are therefore unlogged, because a crash empties
 * unlogged tables.
 */
export const pending = [
  // A number for each part, which changes with every change of the part's data. The part
  // 'catalogue' is the data in lists and details of releases. The part 'accounts' is the data that
  // the check of a token needs. Triggers change the numbers of these two parts, so that every write
  // is included, even a manual one. Adapters change the numbers of the other parts.
  `CREATE TABLE part_revision (
    part ${text} PRIMARY KEY,
    number bigint NOT NULL
  )`,
  `INSERT INTO part_revision (part, number)
    VALUES ('catalogue', 0), ('accounts', 0), ('covers', 0), ('archives', 0), ('library', 0)`,

  // One row for each transaction that has something to count. `parts` contains names of
  // part_revision, or 'counts', 'downloads' or 'library files'.
  `CREATE UNLOGGED TABLE pending_commit (
    xact xid8 PRIMARY KEY,
    parts text[] NOT NULL
  )`,
  `CREATE UNLOGGED TABLE pending_count (
    xact xid8 NOT NULL,
    hidden boolean NOT NULL,
    system ${text} NOT NULL,
    platform_id bigint NOT NULL,
    region ${text} NOT NULL,
    initial ${text} NOT NULL,
    releases bigint NOT NULL
  )`,
  'CREATE INDEX pending_count_by_xact ON pending_count (xact)',
  `CREATE UNLOGGED TABLE pending_download (
    xact xid8 NOT NULL,
    day ${text} NOT NULL,
    count bigint NOT NULL,
    bytes bigint NOT NULL
  )`,
  'CREATE INDEX pending_download_by_xact ON pending_download (xact)',
  `CREATE FUNCTION note_pending(what text) RETURNS void LANGUAGE sql
    BEGIN ATOMIC
      INSERT INTO pending_commit AS noted (xact, parts) VALUES (pg_current_xact_id(), ARRAY[what])
        ON CONFLICT (xact) DO UPDATE SET parts = noted.parts || excluded.parts
        WHERE NOT noted.parts @> excluded.parts;
    END`,

  `CREATE FUNCTION settle_counts() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      WITH mine AS (DELETE FROM pending_count WHERE xact = pg_current_xact_id() RETURNING *)
      INSERT INTO release_count AS counted (hidden, system, platform_id, region, initial, releases)
        SELECT hidden, system, platform_id, region, initial, sum(releases)::bigint FROM mine
        GROUP BY 1, 2, 3, 4, 5 HAVING sum(releases) <> 0
        ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT (hidden, system, platform_id, ${digest('region')}, initial)
          DO UPDATE SET releases = counted.releases + excluded.releases;
      DELETE FROM release_count WHERE releases = 0;
    END $$`,
  `CREATE FUNCTION settle_downloads() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      WITH mine AS (DELETE FROM pending_download WHERE xact = pg_current_xact_id() RETURNING *)
      INSERT INTO download_day AS counted (day, count, bytes)
        SELECT day, sum(count)::bigint, sum(bytes)::bigint FROM mine GROUP BY 1 ORDER BY 1
        ON CONFLICT (day) DO UPDATE
          SET count = counted.count + excluded.count, bytes = counted.bytes + excluded.bytes;
    END $$`,
  `CREATE FUNCTION settle_pending() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      noted text[];
    BEGIN
      -- not that of the row as it was inserted: more was noted since
      DELETE FROM pending_commit WHERE xact = new.xact RETURNING parts INTO noted;
      IF 'counts' = ANY (noted) THEN PERFORM settle_counts(); END IF;
      IF 'downloads' = ANY (noted) THEN PERFORM settle_downloads(); END IF;
      IF 'library files' = ANY (noted) THEN UPDATE library_version SET number = number + 1; END IF;
      IF 'accounts' = ANY (noted) THEN
        UPDATE part_revision SET number = number + 1 WHERE part = 'accounts';
      END IF;
      IF 'catalogue' = ANY (noted) THEN
        UPDATE part_revision SET number = number + 1 WHERE part = 'catalogue';
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE CONSTRAINT TRIGGER pending_settled AFTER INSERT ON pending_commit
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION settle_pending()`,
];
