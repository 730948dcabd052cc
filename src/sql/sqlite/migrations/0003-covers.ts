export const covers = {
  name: '0003-covers',
  statements: [
    // Covers that no user uploaded: where each came from, and its name in stored_file.
    `CREATE TABLE cover_origin (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('source', 'disc')),
      origin TEXT NOT NULL,
      name TEXT NOT NULL
    ) STRICT`,
    // The response of a source that had no cover.
    `CREATE TABLE cover_miss (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('miss', 'failure')),
      reason TEXT NOT NULL,
      asked_at TEXT NOT NULL
    ) STRICT`,
  ],
};
