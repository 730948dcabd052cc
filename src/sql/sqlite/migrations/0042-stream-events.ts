/** The columns of a download that are copied unchanged. */
const copied = 'id, user_id, area, name, bytes, created_at, kind';

/**
 * Adds the kind `stream`: a file that a device read without copying it. `stream_key` identifies the
 * device, the file and the hour, so that many reads are one event. The table is created again,
 * because SQLite cannot change which values an existing column allows.
 */
export const streamEvents = {
  name: '0042-stream-events',
  statements: [
    `CREATE TABLE download_event_new (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id INTEGER,
      area TEXT NOT NULL,
      name TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      created_at TEXT NOT NULL,
      kind TEXT NOT NULL DEFAULT 'archive' CHECK (kind IN ('archive', 'library', 'stream')),
      stream_key TEXT
    ) STRICT`,
    `INSERT INTO download_event_new (${copied}) SELECT ${copied} FROM download_event ORDER BY id`,
    // Copies the highest id that was assigned, so that ids are never used again.
    `DELETE FROM sqlite_sequence WHERE name = 'download_event_new'`,
    `INSERT INTO sqlite_sequence (name, seq)
      SELECT 'download_event_new', seq FROM sqlite_sequence WHERE name = 'download_event'`,
    'DROP TABLE download_event',
    'ALTER TABLE download_event_new RENAME TO download_event',
    'CREATE INDEX download_event_by_user ON download_event (user_id)',
    'CREATE INDEX download_event_by_name ON download_event (name)',
    'CREATE INDEX download_event_by_user_name ON download_event (user_id, name)',
    'CREATE INDEX download_event_by_created_at ON download_event (created_at)',
    `CREATE INDEX download_event_of_archive ON download_event (id) WHERE kind = 'archive'`,
    `CREATE UNIQUE INDEX download_event_of_stream ON download_event (stream_key)
      WHERE stream_key IS NOT NULL`,
    `CREATE TRIGGER download_event_counted AFTER INSERT ON download_event
      WHEN new.kind = 'archive' BEGIN
      INSERT INTO download_day (day, count, bytes) VALUES (substr(new.created_at, 1, 10), 1, new.bytes)
        ON CONFLICT (day) DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
    END`,
  ],
};
