export const romHash = {
  name: '0006-rom-hash',
  statements: [
    // What files are looked up by: sha1, md5, and crc32:size. A table of its own instead of indexes of `rom`, because
    // an import fills it in the order of the hashes: far fewer pages to write than in the order of the releases.
    `CREATE TABLE rom_hash (
      hash TEXT NOT NULL,
      release_id INTEGER NOT NULL,
      PRIMARY KEY (hash, release_id)
    ) STRICT, WITHOUT ROWID`,
    // The ROMs of a release go together, so what two of them share goes with the first. No foreign key, which would
    // need an index by release.
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
