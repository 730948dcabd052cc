export const coverRemoval = {
  name: '0007-cover-removal',
  statements: [
    // Releases whose cover somebody removed, until one is put again.
    `CREATE TABLE cover_removal (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      removed_at TEXT NOT NULL,
      removed_by TEXT NOT NULL
    ) STRICT`,
    // They were misses of a source that no source can be called.
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
