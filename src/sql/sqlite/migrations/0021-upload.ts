/**
 * Files that are uploaded in chunks. `actor` is JSON. `owner` is the process that checks the
 * uploaded file.
 */
export const upload = {
  name: '0021-upload',
  statements: [
    `CREATE TABLE upload (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL,
      actor TEXT NOT NULL,
      system TEXT NOT NULL,
      folder TEXT NOT NULL UNIQUE,
      filename TEXT NOT NULL,
      size INTEGER NOT NULL,
      received INTEGER NOT NULL DEFAULT 0,
      replaces INTEGER NOT NULL CHECK (replaces IN (0, 1)),
      metadata TEXT NOT NULL,
      state TEXT NOT NULL,
      detail TEXT,
      sha256 TEXT,
      owner TEXT,
      expires_at TEXT
    ) STRICT`,
    'CREATE INDEX upload_by_user ON upload (user_id)',
    'CREATE INDEX upload_by_user_and_state ON upload (user_id, state)',
    'CREATE INDEX upload_by_state ON upload (state)',
    'CREATE INDEX upload_by_expiry ON upload (expires_at)',
    `CREATE TABLE upload_chunk (
      upload_id INTEGER NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
      start INTEGER NOT NULL,
      size INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (upload_id, start)
    ) STRICT, WITHOUT ROWID`,
    // This index finds an existing file by its size. Checksums therefore need not be calculated for
    // all files.
    'CREATE INDEX stored_file_by_size ON stored_file (area, size)',
  ],
};
