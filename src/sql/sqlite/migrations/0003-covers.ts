export const covers = {
  name: '0003-covers',
  statements: [
    // The origin of each cover that no user uploaded, and the name of the cover file in
    // stored_file.
    `CREATE TABLE cover_origin (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('source', 'disc')),
      origin TEXT NOT NULL,
      name TEXT NOT NULL
    ) STRICT`,
    // Requests to cover sources that returned no cover for the release.
    `CREATE TABLE cover_miss (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('miss', 'failure')),
      reason TEXT NOT NULL,
      asked_at TEXT NOT NULL
    ) STRICT`,
  ],
};
