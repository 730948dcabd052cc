import { digest, givenId, start, text } from './texts.ts';

export const releases = [
  `CREATE TABLE platform (
    id ${givenId},
    key ${text} NOT NULL,
    name ${text} NOT NULL
  )`,
  `CREATE UNIQUE INDEX platform_by_key ON platform (${digest('key')})`,
  `CREATE TABLE source (
    id ${givenId},
    platform_id bigint NOT NULL REFERENCES platform (id),
    name ${text} NOT NULL,
    header_name ${text} NOT NULL,
    system ${text} NOT NULL
  )`,
  'CREATE INDEX source_by_platform ON source (platform_id)',
  `CREATE TABLE import (
    id ${givenId},
    platform_id bigint NOT NULL REFERENCES platform (id),
    source_id bigint REFERENCES source (id),
    file_name ${text} NOT NULL,
    sha256 ${text} NOT NULL,
    header ${text} NOT NULL,
    version ${text} NOT NULL,
    imported_at ${text} NOT NULL,
    imported_by ${text} NOT NULL,
    counts ${text} NOT NULL,
    samples ${text} NOT NULL,
    has_facts boolean NOT NULL DEFAULT true
  )`,
  'CREATE INDEX import_by_sha256 ON import (sha256)',
  'CREATE INDEX import_by_source ON import (source_id)',
  // One row. Each transaction that begins or ends an import writes this row, so that these
  // transactions run one at a time.
  'CREATE TABLE import_version (number bigint NOT NULL)',
  'INSERT INTO import_version (number) VALUES (0)',

  `CREATE TABLE release (
    id ${givenId},
    platform_id bigint REFERENCES platform (id),
    system ${text} NOT NULL,
    name ${text} NOT NULL,
    region ${text} NOT NULL,
    serial ${text} NOT NULL,
    description ${text} NOT NULL,
    revision bigint NOT NULL DEFAULT 0
  )`,
  // These indexes return pages in order, except for names with the same start. Such names must be
  // sorted afterwards, and a page has few of them.
  `CREATE INDEX release_by_name ON release (${start('name')}, id)`,
  `CREATE INDEX release_by_system ON release (system, ${start('name')}, id)`,
  'CREATE INDEX release_by_platform ON release (platform_id)',
  // At most one row. Releases from `first_release_id` on belong to an import that is unfinished or
  // was interrupted.
  `CREATE TABLE unfinished_import (
    first_release_id bigint PRIMARY KEY,
    claim ${text} NOT NULL
  )`,
  // The condition is usually true for every row and is evaluated once. The form of the condition
  // prevents PostgreSQL from using an index for it.
  `CREATE VIEW listed_release AS
    SELECT id, platform_id, system, name, region, serial, description, revision FROM release
    WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true)`,

  `CREATE TABLE rom (
    id ${givenId},
    release_id bigint NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    position bigint NOT NULL,
    name ${text} NOT NULL,
    size bigint NOT NULL,
    crc32 ${text} NOT NULL,
    md5 ${text} NOT NULL,
    sha1 ${text} NOT NULL,
    serial ${text} NOT NULL
  )`,
  'CREATE INDEX rom_by_release ON rom (release_id, position)',
  `CREATE INDEX rom_by_name ON rom (${start('name')})`,
  // The hashes that match files with releases: sha1, md5 and crc32:size. A foreign key would need
  // an index by release, so there is none.
  `CREATE TABLE rom_hash (
    hash ${text} NOT NULL,
    release_id bigint NOT NULL,
    PRIMARY KEY (hash, release_id)
  )`,
  // `is_shown` is true if the source of this row brought the release. The release then shows the
  // values of this row.
  `CREATE TABLE source_row (
    source_id bigint NOT NULL REFERENCES source (id),
    release_id bigint NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    name ${text} NOT NULL,
    region ${text} NOT NULL,
    serial ${text} NOT NULL,
    description ${text} NOT NULL,
    dump_sha1 ${text} NOT NULL,
    dump_md5 ${text} NOT NULL,
    dump_crc ${text} NOT NULL,
    roms_digest ${text} NOT NULL,
    search ${text} NOT NULL,
    is_shown boolean NOT NULL,
    gone boolean NOT NULL DEFAULT false,
    PRIMARY KEY (source_id, release_id)
  )`,
  'CREATE INDEX source_row_by_release ON source_row (release_id)',
  `CREATE INDEX source_row_by_name ON source_row (${start('name')})`,
  `CREATE TABLE release_meta (
    release_id bigint PRIMARY KEY REFERENCES release (id) ON DELETE CASCADE,
    title ${text} NOT NULL,
    manual boolean NOT NULL,
    release_date ${text},
    developer ${text},
    publisher ${text},
    genre ${text},
    synopsis ${text},
    franchise ${text}
  )`,
  `CREATE TABLE release_edit (
    release_id bigint NOT NULL REFERENCES release (id) ON DELETE CASCADE,
    field ${text} NOT NULL,
    edited_at ${text} NOT NULL,
    PRIMARY KEY (release_id, field)
  )`,
  `CREATE TABLE metadata_row (
    platform_id bigint NOT NULL REFERENCES platform (id),
    kind ${text} NOT NULL CHECK (kind IN ('crc', 'serial', 'name')),
    key ${text} NOT NULL,
    field ${text} NOT NULL,
    value ${text} NOT NULL
  )`,
  `CREATE UNIQUE INDEX metadata_row_key ON metadata_row (platform_id, kind, ${digest('key')}, field)`,
];
