/**
 * Creates the records of the objects in an object store (docs/decisions/0013-files-on-s3.md). The
 * program reads only these records and does not list the bucket.
 */
export const storedObject = {
  name: '0029-stored-object',
  statements: [
    `CREATE TABLE stored_object (
      area TEXT NOT NULL,
      name TEXT NOT NULL,
      key TEXT NOT NULL,
      size INTEGER NOT NULL,
      mtime_ns INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (area, name)
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX stored_object_key ON stored_object (key)`,
    `CREATE TABLE object_area (
      area TEXT PRIMARY KEY,
      revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    // Times are milliseconds since 1970 by the database's clock.
    `CREATE TABLE orphan_object (
      key TEXT PRIMARY KEY,
      since INTEGER NOT NULL,
      is_going INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX orphan_object_since ON orphan_object (since)`,
    `CREATE TABLE object_upload (
      folder TEXT PRIMARY KEY,
      key TEXT NOT NULL,
      parts_id TEXT,
      whole_size INTEGER
    ) STRICT, WITHOUT ROWID`,
    `CREATE INDEX object_upload_key ON object_upload (key)`,
    `CREATE TABLE object_piece (
      folder TEXT NOT NULL,
      start INTEGER NOT NULL,
      size INTEGER NOT NULL,
      key TEXT,
      part INTEGER,
      part_tag TEXT,
      PRIMARY KEY (folder, start)
    ) STRICT, WITHOUT ROWID`,
  ],
};
