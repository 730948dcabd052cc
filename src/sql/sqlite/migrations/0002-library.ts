export const library = {
  name: '0002-library',
  statements: [
    `CREATE TABLE library_root (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL UNIQUE,
      system TEXT NOT NULL,
      scanned_at TEXT
    ) STRICT`,
    `CREATE TABLE library_file (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      root_id INTEGER NOT NULL REFERENCES library_root (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      mtime_ns INTEGER NOT NULL,
      inode INTEGER NOT NULL,
      identity TEXT NOT NULL,
      serial TEXT,
      image_size INTEGER,
      crc32 TEXT,
      md5 TEXT,
      sha1 TEXT,
      release_id INTEGER REFERENCES release (id) ON DELETE SET NULL,
      method TEXT CHECK (method IN ('sha1', 'md5', 'crc32', 'serial', 'name')),
      canonical TEXT,
      evidence TEXT NOT NULL,
      UNIQUE (root_id, path)
    ) STRICT`,
    'CREATE INDEX library_file_by_release ON library_file (release_id)',
    'CREATE TABLE library_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
    // Indexes for finding the releases that a file may match.
    `CREATE INDEX rom_by_sha1 ON rom (sha1) WHERE sha1 <> ''`,
    `CREATE INDEX rom_by_md5 ON rom (md5) WHERE md5 <> ''`,
    `CREATE INDEX rom_by_crc32 ON rom (crc32, size) WHERE crc32 <> ''`,
    'CREATE INDEX rom_by_name ON rom (name)',
    'CREATE INDEX release_serial_by_serial ON release_serial (serial)',
    'CREATE INDEX source_row_by_name ON source_row (name)',
  ],
};
