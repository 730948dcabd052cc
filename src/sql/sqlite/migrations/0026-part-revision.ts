/** Condition of a trigger that the release is visible; see migration 0004. */
const isSeen = (row: 'old' | 'new') =>
  `NOT EXISTS (SELECT 1 FROM unfinished_import WHERE first_release_id <= ${row}.id)`;

const moves = (part: 'catalogue' | 'accounts') =>
  `BEGIN UPDATE part_revision SET number = number + 1 WHERE part = '${part}'; END`;

/**
 * Creates a number for each part, which changes with every change of the part's data. The part
 * 'catalogue' is the data in lists and details of releases. The part 'accounts' is the data that
 * the check of a token needs. Triggers change the numbers, so that every write is included, even a
 * manual one. For a release, the triggers watch only its row, because every visible change also
 * sets the revision in this row (0012).
 */
export const partRevision = {
  name: '0026-part-revision',
  statements: [
    `CREATE TABLE part_revision (
      part TEXT PRIMARY KEY,
      number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO part_revision (part, number) VALUES ('catalogue', 0), ('accounts', 0)`,
    // The releases of an unfinished import are not visible until the import ends. Until then, they
    // do not change the number.
    `CREATE TRIGGER release_added AFTER INSERT ON release WHEN ${isSeen('new')} ${moves('catalogue')}`,
    `CREATE TRIGGER release_changed AFTER UPDATE ON release WHEN ${isSeen('new')} ${moves('catalogue')}`,
    `CREATE TRIGGER release_removed AFTER DELETE ON release WHEN ${isSeen('old')} ${moves('catalogue')}`,
    `CREATE TRIGGER import_begun AFTER INSERT ON unfinished_import ${moves('catalogue')}`,
    `CREATE TRIGGER import_ended AFTER DELETE ON unfinished_import ${moves('catalogue')}`,
    `CREATE TRIGGER platform_added AFTER INSERT ON platform ${moves('catalogue')}`,
    `CREATE TRIGGER platform_changed AFTER UPDATE ON platform ${moves('catalogue')}`,
    `CREATE TRIGGER user_changed AFTER UPDATE ON user ${moves('accounts')}`,
    `CREATE TRIGGER user_removed AFTER DELETE ON user ${moves('accounts')}`,
    // The column last_used_at is omitted, because it changes with nearly every request.
    `CREATE TRIGGER token_changed AFTER UPDATE OF user_id, hash, label, kind, created_at, expires_at, revoked_at
      ON token ${moves('accounts')}`,
    `CREATE TRIGGER token_removed AFTER DELETE ON token ${moves('accounts')}`,
  ],
};
