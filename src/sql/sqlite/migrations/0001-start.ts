/**
 * Creates the first schema. AUTOINCREMENT prevents ids from being used again. A token or link to a
 * deleted row therefore never leads to another row.
 */
export const start = {
  name: '0001-start',
  statements: [
    `CREATE TABLE user (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      username TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('admin', 'editor', 'user')),
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
      created_at TEXT NOT NULL,
      last_login_at TEXT
    ) STRICT`,
    `CREATE TABLE token (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      hash TEXT NOT NULL UNIQUE,
      label TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('api', 'web')),
      created_at TEXT NOT NULL,
      last_used_at TEXT,
      expires_at TEXT,
      revoked_at TEXT
    ) STRICT`,
    'CREATE INDEX token_by_user ON token (user_id)',

    `CREATE TABLE platform (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      platform_id INTEGER NOT NULL REFERENCES platform (id),
      name TEXT NOT NULL,
      header_name TEXT NOT NULL,
      system TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX source_by_platform ON source (platform_id)',
    `CREATE TABLE import (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      platform_id INTEGER NOT NULL REFERENCES platform (id),
      source_id INTEGER REFERENCES source (id),
      file_name TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      header TEXT NOT NULL,
      version TEXT NOT NULL,
      imported_at TEXT NOT NULL,
      imported_by TEXT NOT NULL,
      counts TEXT NOT NULL,
      samples TEXT NOT NULL
    ) STRICT`,

    `CREATE TABLE release (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      platform_id INTEGER REFERENCES platform (id),
      system TEXT NOT NULL,
      name TEXT NOT NULL,
      region TEXT NOT NULL,
      serial TEXT NOT NULL,
      description TEXT NOT NULL
    ) STRICT`,
    // SQLite appends the id to both indexes. The indexes therefore return pages in order without
    // sorting.
    'CREATE INDEX release_by_name ON release (name)',
    'CREATE INDEX release_by_system ON release (system, name)',
    'CREATE INDEX release_by_platform ON release (platform_id)',
    `CREATE TABLE rom (
      id INTEGER PRIMARY KEY,
      release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      crc32 TEXT NOT NULL,
      md5 TEXT NOT NULL,
      sha1 TEXT NOT NULL,
      serial TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX rom_by_release ON rom (release_id, position)',
    // `is_shown` is 1 if the source of this row brought the release. The release then shows the
    // values of this row.
    `CREATE TABLE source_row (
      source_id INTEGER NOT NULL REFERENCES source (id),
      release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      region TEXT NOT NULL,
      serial TEXT NOT NULL,
      description TEXT NOT NULL,
      dump_sha1 TEXT NOT NULL,
      dump_md5 TEXT NOT NULL,
      dump_crc TEXT NOT NULL,
      roms_digest TEXT NOT NULL,
      search TEXT NOT NULL,
      is_shown INTEGER NOT NULL CHECK (is_shown IN (0, 1)),
      gone INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (source_id, release_id)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX source_row_by_release ON source_row (release_id)',
    `CREATE TABLE release_meta (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      title TEXT NOT NULL,
      manual INTEGER NOT NULL CHECK (manual IN (0, 1)),
      release_date TEXT,
      developer TEXT,
      publisher TEXT,
      genre TEXT,
      synopsis TEXT,
      franchise TEXT
    ) STRICT`,
    `CREATE TABLE release_edit (
      release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
      field TEXT NOT NULL,
      edited_at TEXT NOT NULL,
      PRIMARY KEY (release_id, field)
    ) STRICT, WITHOUT ROWID`,

    `CREATE TABLE metadata_row (
      platform_id INTEGER NOT NULL REFERENCES platform (id),
      kind TEXT NOT NULL CHECK (kind IN ('crc', 'serial', 'name')),
      key TEXT NOT NULL,
      field TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (platform_id, kind, key, field)
    ) STRICT, WITHOUT ROWID`,
    // A source_id of 0 marks serials of the release itself, which were entered by hand or come from
    // a metadata file.
    `CREATE TABLE release_serial (
      release_id INTEGER NOT NULL REFERENCES release (id) ON DELETE CASCADE,
      source_id INTEGER NOT NULL,
      serial TEXT NOT NULL,
      PRIMARY KEY (release_id, source_id, serial)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE release_text (
      release_id INTEGER PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
      own TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT`,
    `CREATE VIRTUAL TABLE release_search USING fts5 (
      text, content = 'release_text', content_rowid = 'release_id', tokenize = 'trigram', detail = 'none'
    )`,
    `CREATE TRIGGER release_search_insert AFTER INSERT ON release_text BEGIN
      INSERT INTO release_search (rowid, text) VALUES (new.release_id, new.text);
    END`,
    `CREATE TRIGGER release_search_update AFTER UPDATE OF text ON release_text WHEN old.text <> new.text BEGIN
      INSERT INTO release_search (release_search, rowid, text) VALUES ('delete', old.release_id, old.text);
      INSERT INTO release_search (rowid, text) VALUES (new.release_id, new.text);
    END`,
    `CREATE TRIGGER release_search_delete AFTER DELETE ON release_text BEGIN
      INSERT INTO release_search (release_search, rowid, text) VALUES ('delete', old.release_id, old.text);
    END`,

    // This index and `release_search` serve substring search. Their trigrams narrow down a LIKE
    // (SQLite FTS5, "The Trigram Tokenizer"). Positions are omitted, because LIKE does not need
    // them. Without positions, the index is half the size.
    `CREATE VIRTUAL TABLE release_name USING fts5 (
      name, content = 'release', content_rowid = 'id', tokenize = 'trigram', detail = 'none'
    )`,
    `CREATE TRIGGER release_name_insert AFTER INSERT ON release BEGIN
      INSERT INTO release_name (rowid, name) VALUES (new.id, new.name);
    END`,
    `CREATE TRIGGER release_name_update AFTER UPDATE OF name ON release WHEN old.name <> new.name BEGIN
      INSERT INTO release_name (release_name, rowid, name) VALUES ('delete', old.id, old.name);
      INSERT INTO release_name (rowid, name) VALUES (new.id, new.name);
    END`,
    `CREATE TRIGGER release_name_delete AFTER DELETE ON release BEGIN
      INSERT INTO release_name (release_name, rowid, name) VALUES ('delete', old.id, old.name);
    END`,

    // There is no foreign key, so events remain when their user is deleted.
    `CREATE TABLE download_event (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER,
      area TEXT NOT NULL,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE stored_file (
      area TEXT NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      mtime_ns INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      written_at TEXT NOT NULL,
      PRIMARY KEY (area, name)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE job (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'stopped', 'interrupted')),
      owner TEXT NOT NULL,
      started_by TEXT NOT NULL,
      started_at TEXT NOT NULL,
      heartbeat_at TEXT NOT NULL,
      finished_at TEXT,
      progress TEXT,
      report TEXT
    ) STRICT`,
    `CREATE UNIQUE INDEX job_running ON job (kind) WHERE state = 'running'`,
    `CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'cli', 'system')),
      user_id INTEGER,
      username TEXT,
      address TEXT,
      action TEXT NOT NULL,
      target TEXT NOT NULL,
      detail TEXT
    ) STRICT`,
  ],
};
