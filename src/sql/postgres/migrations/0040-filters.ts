import { digest, text } from './0028/texts.ts';
import { startCast } from './0032-text-starts.ts';

/** The columns that identify a row of `release_count`, calculated from a release. */
const place = 'system, coalesce(platform_id, 0), region, left(name, 1), left(sort_name, 1)';

const places = 'system, platform_id, region, initial, title_initial';
const countColumns = `xact, hidden, ${places}, releases`;

const isHidden = 'coalesce(id >= first_hidden, false)';

/** The function bodies of the triggers in `0028/triggers.ts`, with the column `title_initial`. */
const note = (rows: string, changed: string) => `
  INSERT INTO pending_count (${countColumns})
    SELECT pg_current_xact_id(), ${isHidden}, ${place}, sum(more) FROM (${rows}) AS counted
    GROUP BY 2, 3, 4, 5, 6, 7 HAVING sum(more) <> 0;
  IF FOUND THEN PERFORM note_pending('counts'); END IF;
  IF EXISTS (SELECT 1 FROM ${changed} WHERE NOT ${isHidden}) THEN PERFORM note_pending('catalogue'); END IF;`;

const onRelease = (event: string, body: string) =>
  `CREATE OR REPLACE FUNCTION release_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE first_hidden bigint := (SELECT first_release_id FROM unfinished_import);
    BEGIN ${body} RETURN NULL; END $$`;

const advanceIds = `
  PERFORM setval('release_id_seq', highest.id) FROM release_id_seq, (SELECT max(id) AS id FROM new_rows) AS highest
    WHERE highest.id > last_value OR (highest.id = last_value AND NOT is_called);`;

const countAgain = [
  ...['release_count', 'pending_count'].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN title_initial ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE ${table} ALTER COLUMN title_initial DROP DEFAULT`,
  ]),
  'DROP INDEX release_count_key',
  `CREATE UNIQUE INDEX release_count_key
    ON release_count (hidden, system, platform_id, ${digest('region')}, initial, title_initial)`,
  'DELETE FROM release_count',
  `INSERT INTO release_count (hidden, ${places}, releases)
    SELECT coalesce(id >= (SELECT first_release_id FROM unfinished_import), false), ${place}, count(*)
    FROM release GROUP BY 1, 2, 3, 4, 5, 6`,
  onRelease('insert', advanceIds + note('SELECT *, 1 AS more FROM new_rows', 'new_rows')),
  onRelease(
    'update',
    note('SELECT *, 1 AS more FROM new_rows UNION ALL SELECT *, -1 FROM old_rows', 'new_rows'),
  ),
  onRelease('delete', note('SELECT *, -1 AS more FROM old_rows', 'old_rows')),
  `CREATE OR REPLACE FUNCTION import_begun() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pending_count (${countColumns})
        SELECT pg_current_xact_id(), side.hidden, ${place}, sum(side.more)
        FROM release, (VALUES (true, 1), (false, -1)) AS side (hidden, more)
        WHERE id >= new.first_release_id GROUP BY 2, 3, 4, 5, 6, 7;
      IF FOUND THEN PERFORM note_pending('counts'); END IF;
      PERFORM note_pending('catalogue');
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION import_ended() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE pending_count SET hidden = false WHERE xact = pg_current_xact_id() AND hidden;
      INSERT INTO pending_count (${countColumns})
        SELECT pg_current_xact_id(), side.hidden, ${places}, side.more * releases
        FROM release_count, (VALUES (true, -1), (false, 1)) AS side (hidden, more)
        WHERE release_count.hidden;
      IF FOUND THEN PERFORM note_pending('counts'); END IF;
      PERFORM note_pending('catalogue');
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE FUNCTION settle_counts() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      WITH mine AS (DELETE FROM pending_count WHERE xact = pg_current_xact_id() RETURNING *)
      INSERT INTO release_count AS counted (hidden, ${places}, releases)
        SELECT hidden, ${places}, sum(releases)::bigint FROM mine
        GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(releases) <> 0
        ORDER BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (hidden, system, platform_id, ${digest('region')}, initial, title_initial)
          DO UPDATE SET releases = counted.releases + excluded.releases;
      DELETE FROM release_count WHERE releases = 0;
    END $$`,
];

const start = (column: string) => startCast.join(column);

/**
 * Creates indexes for filters of the list, and counts the releases also by the first character of
 * `sort_name`, for the letter index of lists in that order. A platform's releases come from the
 * index in the order of `sort_name`.
 */
export const filters = {
  version: 40,
  name: '0040-filters',
  statements: [
    ...countAgain,
    'DROP INDEX release_by_platform',
    `CREATE INDEX release_by_platform ON release (platform_id, ${start('sort_name')}, id)`,
    `CREATE INDEX release_meta_by_genre ON release_meta (${start('genre')})`,
    `CREATE INDEX release_meta_by_publisher ON release_meta (${start('publisher')})`,
    'CREATE INDEX release_meta_by_year ON release_meta (substr(release_date, 1, 4))',
    // New expressions have no statistics for the planner until ANALYZE runs.
    'DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; ANALYZE release_meta; END IF; END $$',
  ],
};
