export const romHash = {
  name: '0006-rom-hash',
  statements: [
    // The hashes by which files are looked up: sha1, md5, and crc32:size. This is a table instead
    // of indexes on `rom`, because an import fills it in hash order and so writes far fewer pages
    // than in release order.
    `CREATE TABLE rom_hash (
      hash TEXT NOT NULL,
      release_id INTEGER NOT NULL,
      PRIMARY KEY (hash, release_id)
    ) STRICT, WITHOUT ROWID`,
    // The ROMs of a release are deleted together, so a hash that two of them share may go with the
    // first. There is no foreign key, because it would need an index by release.
    `CREATE TRIGGER rom_hash_removed AFTER DELETE ON rom BEGIN
      DELETE FROM rom_hash WHERE release_id = old.release_id
        AND hash IN (old.sha1, old.md5, old.crc32 || ':' || old.size);
    END`,
    `INSERT OR IGNORE INTO rom_hash (hash, release_id)
      SELECT sha1 AS hash, release_id FROM rom WHERE sha1 <> ''
      UNION SELECT md5, release_id FROM rom WHERE md5 <> ''
      UNION SELECT crc32 || ':' || size, release_id FROM rom WHERE crc32 <> '' ORDER BY 1, 2`,
    'DROP INDEX rom_by_sha1',
    'DROP INDEX rom_by_md5',
    'DROP INDEX rom_by_crc32',
  ],
};
