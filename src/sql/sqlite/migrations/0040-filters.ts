/** The columns that identify a row of `release_count`; see migration 0027. */
const placeOf = (row: 'old' | 'new' | 'release') =>
  `${row}.system, coalesce(${row}.platform_id, 0), ${row}.region, substr(${row}.name, 1, 1), substr(${row}.sort_name, 1, 1)`;

/** Condition of a trigger that the release is hidden; see migration 0004. */
const isHidden = (row: 'old' | 'new') =>
  `EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= ${row}.id)`;

const places = ['system', 'platform_id', 'region', 'initial', 'title_initial'];
const columns = ['hidden', ...places].join(', ');

const placesIn = (row: 'release_count' | 'now') =>
  places.map((column) => `${row}.${column}`).join(', ');

const addNew = `INSERT INTO release_count (${columns}, releases) VALUES (${isHidden('new')}, ${placeOf('new')}, 1)
  ON CONFLICT DO UPDATE SET releases = releases + 1;`;

const ofOld = `(${columns}) = (${isHidden('old')}, ${placeOf('old')})`;

const removeOld = `UPDATE release_count SET releases = releases - 1 WHERE ${ofOld};
  DELETE FROM release_count WHERE ${ofOld} AND releases = 0;`;

const counted = ['system', 'platform_id', 'region', 'name'];

/** The table and the triggers of migration 0027 with the new column `title_initial`. */
const countAgain = [
  ...['added', 'changed', 'removed'].map((event) => `DROP TRIGGER release_count_${event}`),
  ...['hidden', 'shown'].map((event) => `DROP TRIGGER release_count_${event}`),
  'DROP TABLE release_count',
  `CREATE TABLE release_count (
      hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
      system TEXT NOT NULL,
      platform_id INTEGER NOT NULL,
      region TEXT NOT NULL,
      initial TEXT NOT NULL,
      title_initial TEXT NOT NULL,
      releases INTEGER NOT NULL,
      PRIMARY KEY (${columns})
    ) STRICT, WITHOUT ROWID`,
  `INSERT INTO release_count (${columns}, releases)
      SELECT EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= release.id), ${placeOf('release')}, count(*)
      FROM release GROUP BY 1, 2, 3, 4, 5, 6`,
  `CREATE TRIGGER release_count_added AFTER INSERT ON release BEGIN ${addNew} END`,
  `CREATE TRIGGER release_count_changed AFTER UPDATE OF ${counted.join(', ')} ON release
      WHEN ${counted.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')}
      BEGIN ${removeOld} ${addNew} END`,
  `CREATE TRIGGER release_count_removed AFTER DELETE ON release BEGIN ${removeOld} END`,
  `CREATE TRIGGER release_count_hidden AFTER INSERT ON unfinished_import BEGIN
      INSERT INTO release_count (${columns}, releases)
        SELECT 1, ${placeOf('release')}, count(*) FROM release WHERE id >= new.first_release_id GROUP BY 2, 3, 4, 5, 6;
      UPDATE release_count SET releases = release_count.releases - now.releases FROM release_count AS now
        WHERE release_count.hidden = 0 AND now.hidden = 1 AND (${placesIn('release_count')}) = (${placesIn('now')});
      DELETE FROM release_count WHERE releases = 0;
    END`,
  `CREATE TRIGGER release_count_shown AFTER DELETE ON unfinished_import BEGIN
      INSERT INTO release_count (${columns}, releases)
        SELECT 0, ${places.join(', ')}, releases FROM release_count WHERE hidden = 1
        ON CONFLICT DO UPDATE SET releases = releases + excluded.releases;
      DELETE FROM release_count WHERE hidden = 1;
    END`,
];

/**
 * Creates indexes for filters of the list, and counts the releases also by the first character of
 * `sort_name`, for the letter index of lists in that order. A platform's releases come from the
 * index in the order of `sort_name`.
 */
export const filters = {
  name: '0040-filters',
  statements: [
    ...countAgain,
    'DROP INDEX release_by_platform',
    'CREATE INDEX release_by_platform ON release (platform_id, sort_name)',
    'CREATE INDEX release_meta_by_genre ON release_meta (genre)',
    'CREATE INDEX release_meta_by_publisher ON release_meta (publisher)',
    // Contains the date too. Otherwise SQLite would read every row to count the years.
    'CREATE INDEX release_meta_by_year ON release_meta (substr(release_date, 1, 4), release_date)',
  ],
};
