/** The columns that identify a row of `release_count`, calculated from a release. */
const place = 'system, coalesce(platform_id, 0), region, left(name, 1)';

const countColumns = 'xact, hidden, system, platform_id, region, initial, releases';

/**
 * Declares a variable of a trigger: the first id of hidden releases. The variable is null if no
 * releases are hidden.
 */
const firstHidden = 'first_hidden bigint := (SELECT first_release_id FROM unfinished_import)';

const isHidden = 'coalesce(id >= first_hidden, false)';

/**
 * Records the change of each count. Also records a change of the catalogue if any of the changed
 * rows is visible.
 */
const note = (rows: string, changed: string) => `
  INSERT INTO pending_count (${countColumns})
    SELECT pg_current_xact_id(), ${isHidden}, ${place}, sum(more) FROM (${rows}) AS counted
    GROUP BY 2, 3, 4, 5, 6 HAVING sum(more) <> 0;
  IF FOUND THEN PERFORM note_pending('counts'); END IF;
  IF EXISTS (SELECT 1 FROM ${changed} WHERE NOT ${isHidden}) THEN PERFORM note_pending('catalogue'); END IF;`;

const onRelease = (event: string, tables: string, body: string) => {
  const name = `release_${event.toLowerCase()}`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE ${firstHidden};
      BEGIN ${body} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} AFTER ${event} ON release REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  ];
};

/**
 * Moves the sequence above ids that were assigned explicitly, so that the sequence does not assign
 * the same ids again. Only imports assign ids explicitly, and imports run one at a time. All other
 * ids come from the sequence.
 */
const advanceIds = `
  PERFORM setval('release_id_seq', highest.id) FROM release_id_seq, (SELECT max(id) AS id FROM new_rows) AS highest
    WHERE highest.id > last_value OR (highest.id = last_value AND NOT is_called);`;

const releaseTriggers = [
  ...onRelease(
    'INSERT',
    'NEW TABLE AS new_rows',
    advanceIds + note('SELECT *, 1 AS more FROM new_rows', 'new_rows'),
  ),
  ...onRelease(
    'UPDATE',
    'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    note('SELECT *, 1 AS more FROM new_rows UNION ALL SELECT *, -1 FROM old_rows', 'new_rows'),
  ),
  ...onRelease(
    'DELETE',
    'OLD TABLE AS old_rows',
    note('SELECT *, -1 AS more FROM old_rows', 'old_rows'),
  ),
];

const importTriggers = [
  // Moves the counts of already existing releases to the counts of hidden releases. Usually no such
  // releases exist.
  `CREATE FUNCTION import_begun() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pending_count (${countColumns})
        SELECT pg_current_xact_id(), side.hidden, ${place}, sum(side.more)
        FROM release, (VALUES (true, 1), (false, -1)) AS side (hidden, more)
        WHERE id >= new.first_release_id GROUP BY 2, 3, 4, 5, 6;
      IF FOUND THEN PERFORM note_pending('counts'); END IF;
      PERFORM note_pending('catalogue');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER import_begun AFTER INSERT ON unfinished_import
    FOR EACH ROW EXECUTE FUNCTION import_begun()`,
  // Moves the counts of hidden releases to the counts of visible releases, including the counts
  // that this transaction has not yet applied.
  `CREATE FUNCTION import_ended() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE pending_count SET hidden = false WHERE xact = pg_current_xact_id() AND hidden;
      INSERT INTO pending_count (${countColumns})
        SELECT pg_current_xact_id(), side.hidden, system, platform_id, region, initial, side.more * releases
        FROM release_count, (VALUES (true, -1), (false, 1)) AS side (hidden, more)
        WHERE release_count.hidden;
      IF FOUND THEN PERFORM note_pending('counts'); END IF;
      PERFORM note_pending('catalogue');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER import_ended AFTER DELETE ON unfinished_import
    FOR EACH ROW EXECUTE FUNCTION import_ended()`,
];

const noted = (name: string, event: string, part: string) =>
  `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION note_part('${part}')`;

const noteTriggers = [
  `CREATE FUNCTION note_part() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM note_pending(TG_ARGV[0]); RETURN NULL; END $$`,
  noted('platform_changed', 'INSERT OR UPDATE ON platform', 'catalogue'),
  noted('user_changed', 'UPDATE OR DELETE ON "user"', 'accounts'),
  noted('token_removed', 'DELETE ON token', 'accounts'),
  // The column last_used_at is omitted, because it changes with nearly every request.
  noted(
    'token_changed',
    'UPDATE OF user_id, hash, label, kind, created_at, expires_at, revoked_at ON token',
    'accounts',
  ),
];

const otherTriggers = [
  // Deletes the hashes of removed ROMs. Two ROMs of a release may share a hash, which is deleted
  // with the first ROM. This is correct, because all ROMs of a release are deleted together.
  `CREATE FUNCTION rom_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM rom_hash USING old_rows AS rom WHERE rom_hash.release_id = rom.release_id
        AND rom_hash.hash IN (rom.sha1, rom.md5, rom.crc32 || ':' || rom.size);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER rom_removed AFTER DELETE ON rom REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION rom_removed()`,
  `CREATE FUNCTION download_counted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO pending_download (xact, day, count, bytes)
        SELECT pg_current_xact_id(), left(created_at, 10), count(*), sum(bytes) FROM new_rows GROUP BY 2;
      IF FOUND THEN PERFORM note_pending('downloads'); END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER download_counted AFTER INSERT ON download_event REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION download_counted()`,
];

const libraryTriggers = [
  `CREATE FUNCTION library_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM changed_rows) THEN PERFORM note_pending('library files'); END IF;
      RETURN NULL;
    END $$`,
  ...['INSERT', 'UPDATE', 'DELETE'].map(
    (event) => `CREATE TRIGGER library_file_${event.toLowerCase()} AFTER ${event} ON library_file
      REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed_rows
      FOR EACH STATEMENT EXECUTE FUNCTION library_changed()`,
  ),
  // If only release_id became null, the release was deleted, so the file is no longer matched.
  `CREATE FUNCTION library_file_release_gone() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN new.state := 'unknown'; RETURN new; END $$`,
  `CREATE TRIGGER library_file_release_gone BEFORE UPDATE OF release_id ON library_file
    FOR EACH ROW WHEN (new.release_id IS NULL AND new.state IN ('matched', 'by-name'))
    EXECUTE FUNCTION library_file_release_gone()`,
  `CREATE FUNCTION library_root_system() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE library_file SET system = new.system WHERE root_id = new.id AND release_id IS NULL;
      PERFORM note_pending('library files');
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER library_root_system AFTER UPDATE OF system ON library_root
    FOR EACH ROW WHEN (old.system <> new.system) EXECUTE FUNCTION library_root_system()`,
];

/**
 * Creates the triggers by which the engine updates counts and revisions. The triggers call the
 * functions that `pending` creates, so `pending` must run first.
 */
export const triggers = [
  ...releaseTriggers,
  ...importTriggers,
  ...noteTriggers,
  ...otherTriggers,
  ...libraryTriggers,
];
