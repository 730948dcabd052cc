/**
 * Adds the kind of a download: an archive of the store, or a file of the library. The counts of
 * days contain only archives. The partial index lists the newest downloads of archives.
 */
export const libraryDownloads = {
  name: '0036-library-downloads',
  statements: [
    `ALTER TABLE download_event ADD COLUMN kind TEXT NOT NULL DEFAULT 'archive'
      CHECK (kind IN ('archive', 'library'))`,
    `CREATE INDEX download_event_of_archive ON download_event (id) WHERE kind = 'archive'`,
    'DROP TRIGGER download_event_counted',
    `CREATE TRIGGER download_event_counted AFTER INSERT ON download_event
      WHEN new.kind = 'archive' BEGIN
      INSERT INTO download_day (day, count, bytes) VALUES (substr(new.created_at, 1, 10), 1, new.bytes)
        ON CONFLICT (day) DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
    END`,
  ],
};
