import { digest, givenId, start, text } from './texts.ts';

export const library = [
  `CREATE TABLE library_root (
    id ${givenId},
    path ${text} NOT NULL,
    system ${text} NOT NULL,
    scanned_at ${text},
    problem ${text}
  )`,
  `CREATE UNIQUE INDEX library_root_by_path ON library_root (${digest('path')})`,
  `CREATE TABLE library_file (
    id ${givenId},
    root_id bigint NOT NULL REFERENCES library_root (id) ON DELETE CASCADE,
    path ${text} NOT NULL,
    name ${text} NOT NULL,
    size bigint NOT NULL,
    mtime_ns bigint NOT NULL,
    inode bigint NOT NULL,
    serial ${text},
    image_size bigint,
    crc32 ${text},
    md5 ${text},
    sha1 ${text},
    release_id bigint REFERENCES release (id) ON DELETE SET NULL,
    method ${text} CHECK (method IN ('sha1', 'md5', 'crc32', 'serial', 'name', 'manual')),
    canonical ${text},
    tied ${text},
    reader ${text} NOT NULL DEFAULT '',
    sheet ${text},
    set_key ${text},
    system ${text} NOT NULL DEFAULT '',
    search ${text} NOT NULL DEFAULT '',
    state ${text} NOT NULL DEFAULT 'unknown' CHECK (state IN ('matched', 'by-name', 'ambiguous', 'unknown')),
    problem ${text},
    identity ${text} NOT NULL,
    evidence ${text} NOT NULL
  )`,
  `CREATE UNIQUE INDEX library_file_key ON library_file (root_id, ${digest('path')})`,
  // The index `library_file_in_order` returns files in order. The index `library_file_by_path`
  // finds a path. The entries of both indexes are small even for long paths.
  `CREATE INDEX library_file_in_order ON library_file (root_id, ${start('path')})`,
  'CREATE INDEX library_file_by_path ON library_file USING hash (path)',
  'CREATE INDEX library_file_by_release ON library_file (release_id, method)',
  'CREATE INDEX library_file_by_method ON library_file (root_id, method)',
  'CREATE INDEX library_file_by_reader ON library_file (root_id, reader)',
  `CREATE INDEX library_file_sheets ON library_file (root_id, ${start('path')}) WHERE sheet IS NOT NULL`,
  // Files that must be matched again have the key ''. There may be many such files, so the index
  // omits them.
  `CREATE INDEX library_file_by_set ON library_file USING hash (set_key) WHERE set_key <> ''`,
  'CREATE INDEX library_file_in_sets ON library_file (root_id) WHERE set_key IS NOT NULL',
  // An index entry can contain a whole name, because no file system allows names that are too long
  // for an entry.
  'CREATE INDEX library_file_listed ON library_file (name, id) INCLUDE (state, system)',
  'CREATE INDEX library_file_damaged ON library_file (name, id) INCLUDE (system) WHERE problem IS NOT NULL',
  `CREATE TABLE library_state (
    name ${text} NOT NULL,
    value ${text} NOT NULL
  )`,
  `CREATE UNIQUE INDEX library_state_by_name ON library_state (${digest('name')})`,
  // Counts the visible changes of the library by all writers. A cached list is valid while the
  // number is unchanged.
  'CREATE TABLE library_version (number bigint NOT NULL)',
  'INSERT INTO library_version (number) VALUES (0)',
];
