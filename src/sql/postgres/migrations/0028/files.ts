import { givenId, text } from './texts.ts';

/** Creates the tables of stored files, covers and downloads. */
export const files = [
  `CREATE TABLE stored_file (
    area ${text} NOT NULL,
    name ${text} NOT NULL,
    size bigint NOT NULL,
    mtime_ns bigint NOT NULL,
    sha256 ${text} NOT NULL,
    written_at ${text} NOT NULL,
    PRIMARY KEY (area, name)
  )`,
  // This index finds an existing file by its size. Checksums therefore need not be calculated for
  // all files.
  'CREATE INDEX stored_file_by_size ON stored_file (area, size)',
  // File changes that are in progress or were interrupted. `actor` and `change` are JSON.
  `CREATE TABLE file_reservation (
    id ${givenId},
    target ${text} NOT NULL UNIQUE,
    area ${text} NOT NULL,
    owner ${text} NOT NULL,
    reserved_at ${text} NOT NULL,
    actor ${text} NOT NULL,
    change ${text} NOT NULL
  )`,
  `CREATE TABLE upload (
    id ${givenId},
    user_id bigint NOT NULL,
    actor ${text} NOT NULL,
    system ${text} NOT NULL,
    folder ${text} NOT NULL UNIQUE,
    filename ${text} NOT NULL,
    size bigint NOT NULL,
    received bigint NOT NULL DEFAULT 0,
    replaces boolean NOT NULL,
    metadata ${text} NOT NULL,
    state ${text} NOT NULL,
    detail ${text},
    sha256 ${text},
    owner ${text},
    expires_at ${text}
  )`,
  'CREATE INDEX upload_by_user ON upload (user_id, id)',
  'CREATE INDEX upload_by_user_and_state ON upload (user_id, state)',
  'CREATE INDEX upload_by_state ON upload (state, id)',
  'CREATE INDEX upload_by_expiry ON upload (expires_at)',
  `CREATE TABLE upload_chunk (
    upload_id bigint NOT NULL REFERENCES upload (id) ON DELETE CASCADE,
    start bigint NOT NULL,
    size bigint NOT NULL,
    sha256 ${text} NOT NULL,
    PRIMARY KEY (upload_id, start)
  )`,

  // The origin of each cover that no user uploaded, and the name of the cover file in stored_file.
  `CREATE TABLE cover_origin (
    release_id bigint PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
    kind ${text} NOT NULL CHECK (kind IN ('source', 'disc')),
    origin ${text} NOT NULL,
    name ${text} NOT NULL
  )`,
  // Requests to cover sources that returned no cover for the release.
  `CREATE TABLE cover_miss (
    release_id bigint PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
    source ${text} NOT NULL,
    kind ${text} NOT NULL CHECK (kind IN ('miss', 'failure')),
    reason ${text} NOT NULL,
    asked_at ${text} NOT NULL
  )`,
  // Releases whose cover a user removed and that have had no cover since.
  `CREATE TABLE cover_removal (
    release_id bigint PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
    removed_at ${text} NOT NULL,
    removed_by ${text} NOT NULL
  )`,

  // There is no foreign key, so events remain when their user is deleted.
  `CREATE TABLE download_event (
    id ${givenId},
    user_id bigint,
    area ${text} NOT NULL,
    name ${text} NOT NULL,
    bytes bigint NOT NULL,
    created_at ${text} NOT NULL
  )`,
  'CREATE INDEX download_event_by_user ON download_event (user_id, id)',
  'CREATE INDEX download_event_by_name ON download_event (name, id)',
  'CREATE INDEX download_event_by_user_name ON download_event (user_id, name, id)',
  // The downloads of each day. Reports read this table instead of counting millions of events.
  `CREATE TABLE download_day (
    day ${text} PRIMARY KEY,
    count bigint NOT NULL,
    bytes bigint NOT NULL
  )`,
];
