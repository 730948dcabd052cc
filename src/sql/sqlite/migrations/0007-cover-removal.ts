export const coverRemoval = {
  name: '0007-cover-removal',
  statements: [
    // Releases whose cover a user removed and that have had no cover since.
    `CREATE TABLE cover_removal (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      removed_at TEXT NOT NULL,
      removed_by TEXT NOT NULL
    ) STRICT`,
    // Earlier versions recorded such releases in cover_miss, with a source name that no real source
    // can have.
    `INSERT INTO cover_removal (release_id, removed_at, removed_by)
      SELECT release_id, asked_at, coalesce(removal.username, 'system')
      FROM cover_miss
      LEFT JOIN (
        SELECT target, username, max(id) FROM audit WHERE action = 'cover.remove' GROUP BY target
      ) AS removal ON removal.target = 'cover/' || release_id
      WHERE source = 'somebody'`,
    `DELETE FROM cover_miss WHERE source = 'somebody'`,
  ],
};
