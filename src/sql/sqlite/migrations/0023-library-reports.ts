export const libraryReports = {
  name: '0023-library-reports',
  statements: [
    // Adds the method to this index. The releases in the library, and the releases matched by a
    // hash, can then be counted from the index alone.
    'DROP INDEX library_file_by_release',
    'CREATE INDEX library_file_by_release ON library_file (release_id, method)',
    // The downloads of each day. Reports read this table instead of counting millions of events.
    `CREATE TABLE download_day (
      day TEXT PRIMARY KEY,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO download_day (day, count, bytes)
      SELECT substr(created_at, 1, 10), count(*), sum(bytes) FROM download_event GROUP BY 1`,
    `CREATE TRIGGER download_event_counted AFTER INSERT ON download_event BEGIN
      INSERT INTO download_day (day, count, bytes) VALUES (substr(new.created_at, 1, 10), 1, new.bytes)
        ON CONFLICT (day) DO UPDATE SET count = count + 1, bytes = bytes + excluded.bytes;
    END`,
  ],
};
