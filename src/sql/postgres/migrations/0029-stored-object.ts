import { text } from './0028/texts.ts';

/**
 * Creates the records of the objects in an object store (docs/decisions/0013-files-on-s3.md). The
 * program reads only these records and does not list the bucket.
 */
export const storedObject = {
  version: 29,
  name: '0029-stored-object',
  statements: [
    `CREATE TABLE stored_object (
      area ${text} NOT NULL,
      name ${text} NOT NULL,
      key ${text} NOT NULL,
      size bigint NOT NULL,
      mtime_ns bigint NOT NULL,
      sha256 ${text} NOT NULL,
      PRIMARY KEY (area, name)
    )`,
    'CREATE INDEX stored_object_key ON stored_object (key)',
    `CREATE TABLE object_area (
      area ${text} PRIMARY KEY,
      revision bigint NOT NULL
    )`,
    // Times are milliseconds since 1970 by the database's clock.
    `CREATE TABLE orphan_object (
      key ${text} PRIMARY KEY,
      since bigint NOT NULL,
      is_going boolean NOT NULL
    )`,
    'CREATE INDEX orphan_object_since ON orphan_object (since)',
    `CREATE TABLE object_upload (
      folder ${text} PRIMARY KEY,
      key ${text} NOT NULL,
      parts_id ${text},
      whole_size bigint
    )`,
    'CREATE INDEX object_upload_key ON object_upload (key)',
    `CREATE TABLE object_piece (
      folder ${text} NOT NULL,
      start bigint NOT NULL,
      size bigint NOT NULL,
      key ${text},
      part bigint,
      part_tag ${text},
      PRIMARY KEY (folder, start)
    )`,
  ],
};
