export const romHash = {
  name: '0006-rom-hash',
  statements: [
    // The hashes that match files with releases: sha1, md5 and crc32:size. The hashes have a table
    // of their own, which an import fills in the order of the hashes. Indexes on `rom` would be
    // filled in the order of the releases, which writes far more pages.
    `CREATE TABLE rom_hash (
      hash TEXT NOT NULL,
      release_id INTEGER NOT NULL,
      PRIMARY KEY (hash, release_id)
    ) STRICT, WITHOUT ROWID`,
    // Deletes the hashes of removed ROMs. Two ROMs of a release may share a hash, which is deleted
    // with the first ROM. This is correct, because all ROMs of a release are deleted together. A
    // foreign key would need an index by release, so there is none.
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
