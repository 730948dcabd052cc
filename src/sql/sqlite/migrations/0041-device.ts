const moves = `BEGIN UPDATE part_revision SET number = number + 1 WHERE part = 'accounts'; END`;

/**
 * Creates the devices that read a set at a secret address. A device changes the revision of the
 * accounts, like a token (0026).
 */
export const device = {
  name: '0041-device',
  statements: [
    // hash: SHA-256 of the secret in the address. last_file: path below the address.
    `CREATE TABLE device (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      set_id INTEGER NOT NULL REFERENCES release_set (id) ON DELETE CASCADE,
      profile TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL,
      expires_at TEXT,
      last_used_at TEXT,
      last_file TEXT,
      last_file_at TEXT
    ) STRICT`,
    'CREATE INDEX device_by_owner ON device (owner_id)',
    'CREATE INDEX device_by_set ON device (set_id)',
    // The columns of the last use are omitted, because they change with nearly every request.
    `CREATE TRIGGER device_changed AFTER UPDATE OF owner_id, name, set_id, profile, hash, expires_at
      ON device ${moves}`,
    `CREATE TRIGGER device_removed AFTER DELETE ON device ${moves}`,
    // A device loses access when its owner no longer sees the set.
    `CREATE TRIGGER release_set_shared AFTER UPDATE OF shared, owner_id ON release_set ${moves}`,
  ],
};
