import { type Kysely, sql } from 'kysely';
import { librarySearchText } from '../../library/search-text.ts';
import type { Tables } from '../../tables.ts';

const filesAtOnce = 2000;

/** The columns of a file that are copied unchanged, in the order of the new table. */
const kept = `id, root_id, path, name, size, mtime_ns, inode, serial, image_size, crc32, md5, sha1, release_id,
  method, canonical, tied, reader, sheet, set_key`;

/**
 * Prepares the library for lists by name, state and search text. The table is created again,
 * because a user may now also assign a release. SQLite cannot change which values an existing
 * column allows. Columns that lists show come before the long texts. These columns are not
 * generated, because SQLite would not read a page with a generated column from an index alone.
 */
export const libraryViews = {
  name: '0020-library-views',
  async statements(trx: Kysely<Tables>): Promise<void> {
    for (const statement of [...madeAnew, fillListed]) await sql.raw(statement).execute(trx);
    await fillSearch(trx);
    for (const statement of [...indexes, ...triggers]) await sql.raw(statement).execute(trx);
  },
};

const madeAnew = [
  `CREATE TABLE library_file_new (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    root_id INTEGER NOT NULL REFERENCES library_root (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    serial TEXT,
    image_size INTEGER,
    crc32 TEXT,
    md5 TEXT,
    sha1 TEXT,
    release_id INTEGER REFERENCES release (id) ON DELETE SET NULL,
    method TEXT CHECK (method IN ('sha1', 'md5', 'crc32', 'serial', 'name', 'manual')),
    canonical TEXT,
    tied TEXT,
    reader TEXT NOT NULL DEFAULT '',
    sheet TEXT,
    set_key TEXT,
    system TEXT NOT NULL DEFAULT '',
    search TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'unknown' CHECK (state IN ('matched', 'by-name', 'ambiguous', 'unknown')),
    problem TEXT,
    identity TEXT NOT NULL,
    evidence TEXT NOT NULL,
    UNIQUE (root_id, path)
  ) STRICT`,
  `INSERT INTO library_file_new (${kept}, identity, evidence)
    SELECT ${kept}, identity, evidence FROM library_file ORDER BY id`,
  // Copies the highest id that was assigned, so that ids are never used again.
  `DELETE FROM sqlite_sequence WHERE name = 'library_file_new'`,
  `INSERT INTO sqlite_sequence (name, seq)
    SELECT 'library_file_new', seq FROM sqlite_sequence WHERE name = 'library_file'`,
  'DROP TABLE library_file',
  'ALTER TABLE library_file_new RENAME TO library_file',
  'ALTER TABLE library_root ADD COLUMN problem TEXT',
];

const fillListed = `UPDATE library_file SET
  system = coalesce((SELECT system FROM release WHERE id = library_file.release_id),
    (SELECT system FROM library_root WHERE id = library_file.root_id)),
  state = CASE
    WHEN release_id IS NOT NULL THEN CASE WHEN method = 'name' THEN 'by-name' ELSE 'matched' END
    WHEN tied IS NOT NULL THEN 'ambiguous'
    ELSE 'unknown' END,
  problem = identity ->> '$.problem'`;

async function fillSearch(trx: Kysely<Tables>): Promise<void> {
  for (let last = 0; ; ) {
    const files = await trx
      .selectFrom('library_file')
      .select(['id', 'name', 'serial', 'canonical'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(filesAtOnce)
      .execute();
    const texts = files.map((file) => [file.id, librarySearchText(file, file.canonical)]);
    await sql`UPDATE library_file SET search = made.value ->> 1
      FROM (SELECT value FROM json_each(${JSON.stringify(texts)})) AS made
      WHERE library_file.id = made.value ->> 0`.execute(trx);
    last = files.at(-1)?.id ?? 0;
    if (files.length < filesAtOnce) return;
  }
}

const indexes = [
  'CREATE INDEX library_file_by_release ON library_file (release_id)',
  'CREATE INDEX library_file_by_method ON library_file (root_id, method)',
  'CREATE INDEX library_file_by_reader ON library_file (root_id, reader)',
  'CREATE INDEX library_file_sheets ON library_file (root_id, path) WHERE sheet IS NOT NULL',
  'CREATE INDEX library_file_by_set ON library_file (root_id, set_key) WHERE set_key IS NOT NULL',
  // Contains every column by which the list is sorted or filtered. A page can therefore be found in
  // the index alone.
  'CREATE INDEX library_file_listed ON library_file (name, id, state, system, search)',
  `CREATE INDEX library_file_damaged ON library_file (name, id, system, search, problem)
    WHERE problem IS NOT NULL`,
];

const counted = 'BEGIN UPDATE library_version SET number = number + 1; END';
const triggers = [
  `CREATE TRIGGER library_file_added AFTER INSERT ON library_file ${counted}`,
  `CREATE TRIGGER library_file_changed AFTER UPDATE ON library_file ${counted}`,
  `CREATE TRIGGER library_file_removed AFTER DELETE ON library_file ${counted}`,
  // If only release_id became null, the release was deleted, so the file is no longer matched.
  `CREATE TRIGGER library_file_release_gone AFTER UPDATE OF release_id ON library_file
    WHEN new.release_id IS NULL AND new.state IN ('matched', 'by-name') BEGIN
      UPDATE library_file SET state = 'unknown' WHERE id = new.id;
    END`,
  `CREATE TRIGGER library_root_system AFTER UPDATE OF system ON library_root
    WHEN old.system <> new.system BEGIN
      UPDATE library_file SET system = new.system WHERE root_id = new.id AND release_id IS NULL;
    END`,
];
