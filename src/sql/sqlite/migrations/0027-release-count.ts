/**
 * The columns that identify a row of `release_count`. `platform_id` is 0 for releases without a
 * platform, because a primary key must not contain NULL.
 */
const placeOf = (row: 'old' | 'new' | 'release') =>
  `${row}.system, coalesce(${row}.platform_id, 0), ${row}.region, substr(${row}.name, 1, 1)`;

/** Condition of a trigger that the release is hidden; see migration 0004. */
const isHidden = (row: 'old' | 'new') =>
  `EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= ${row}.id)`;

const columns = 'hidden, system, platform_id, region, initial';

const places = (row: 'release_count' | 'now') =>
  ['system', 'platform_id', 'region', 'initial'].map((column) => `${row}.${column}`).join(', ');

const addNew = `INSERT INTO release_count (${columns}, releases) VALUES (${isHidden('new')}, ${placeOf('new')}, 1)
  ON CONFLICT DO UPDATE SET releases = releases + 1;`;

const ofOld = `(${columns}) = (${isHidden('old')}, ${placeOf('old')})`;

const removeOld = `UPDATE release_count SET releases = releases - 1 WHERE ${ofOld};
  DELETE FROM release_count WHERE ${ofOld} AND releases = 0;`;

const counted = ['system', 'platform_id', 'region', 'name'];

/**
 * Creates counts of releases by system, platform, region and first character of the name. Facets,
 * the letter index and totals of a large catalogue are sums of some thousand of these rows.
 * Triggers update the counts in the transaction of each change, so that the counts always match the
 * list. The releases of an unfinished import are counted separately until the import ends.
 */
export const releaseCount = {
  name: '0027-release-count',
  statements: [
    `CREATE TABLE release_count (
      hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
      system TEXT NOT NULL,
      platform_id INTEGER NOT NULL,
      region TEXT NOT NULL,
      initial TEXT NOT NULL,
      releases INTEGER NOT NULL,
      PRIMARY KEY (${columns})
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO release_count (${columns}, releases)
      SELECT EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= release.id), ${placeOf('release')}, count(*)
      FROM release GROUP BY 1, 2, 3, 4, 5`,
    `CREATE TRIGGER release_count_added AFTER INSERT ON release BEGIN ${addNew} END`,
    `CREATE TRIGGER release_count_changed AFTER UPDATE OF ${counted.join(', ')} ON release
      WHEN ${counted.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ')}
      BEGIN ${removeOld} ${addNew} END`,
    `CREATE TRIGGER release_count_removed AFTER DELETE ON release BEGIN ${removeOld} END`,
    // Moves the counts of already existing releases to the counts of hidden releases. Usually no
    // such releases exist.
    `CREATE TRIGGER release_count_hidden AFTER INSERT ON unfinished_import BEGIN
      INSERT INTO release_count (${columns}, releases)
        SELECT 1, ${placeOf('release')}, count(*) FROM release WHERE id >= new.first_release_id GROUP BY 2, 3, 4, 5;
      UPDATE release_count SET releases = release_count.releases - now.releases FROM release_count AS now
        WHERE release_count.hidden = 0 AND now.hidden = 1 AND (${places('release_count')}) = (${places('now')});
      DELETE FROM release_count WHERE releases = 0;
    END`,
    `CREATE TRIGGER release_count_shown AFTER DELETE ON unfinished_import BEGIN
      INSERT INTO release_count (${columns}, releases)
        SELECT 0, system, platform_id, region, initial, releases FROM release_count WHERE hidden = 1
        ON CONFLICT DO UPDATE SET releases = releases + excluded.releases;
      DELETE FROM release_count WHERE hidden = 1;
    END`,
    // This index is no longer needed, because the counts are now read from release_count.
    'DROP INDEX release_by_facets',
  ],
};
