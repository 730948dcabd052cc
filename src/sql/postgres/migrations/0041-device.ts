import { givenId, text } from './0028/texts.ts';

const noted = (name: string, event: string) =>
  `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION note_part('accounts')`;

/**
 * Creates the devices that read a set at a secret address. A device changes the revision of the
 * accounts, like a token (0028).
 */
export const device = {
  version: 41,
  name: '0041-device',
  statements: [
    // hash: SHA-256 of the secret in the address. last_file: path below the address.
    `CREATE TABLE device (
      id ${givenId},
      owner_id bigint NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      set_id bigint NOT NULL REFERENCES release_set (id) ON DELETE CASCADE,
      profile ${text} NOT NULL,
      hash ${text} NOT NULL UNIQUE,
      created_at ${text} NOT NULL,
      expires_at ${text},
      last_used_at ${text},
      last_file ${text},
      last_file_at ${text}
    )`,
    'CREATE INDEX device_by_owner ON device (owner_id, id)',
    'CREATE INDEX device_by_set ON device (set_id)',
    // The columns of the last use are omitted, because they change with nearly every request.
    noted(
      'device_changed',
      'UPDATE OF owner_id, name, set_id, profile, hash, expires_at ON device',
    ),
    noted('device_removed', 'DELETE ON device'),
    // A device loses access when its owner no longer sees the set.
    noted('release_set_shared', 'UPDATE OF shared, owner_id ON release_set'),
  ],
};
