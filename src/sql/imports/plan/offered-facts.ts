import { type RawBuilder, sql } from 'kysely';
import type { MetadataKey } from '../../../core/imports/metadata.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { factKinds, strongestFacts } from './precedence.ts';

/** Returns the kinds of key of the facts in the file and of the facts stored for the platform. */
export async function kindsOfFacts(
  db: StagingDatabase,
  platformId: number | null,
): Promise<ReadonlySet<MetadataKey>> {
  const kinds = factKinds.map((kind) => sql`SELECT ${sql.lit(kind)} AS kind`);
  const { rows } = await sql<{ kind: MetadataKey }>`SELECT kind
    FROM (${sql.join(kinds, sql` UNION ALL `)}) AS possible
    WHERE EXISTS (
        SELECT 1 FROM ${sql.table('staged_fact')} AS staged WHERE staged.kind = possible.kind)
      OR EXISTS (
        SELECT 1 FROM metadata_row AS stored
        WHERE stored.platform_id = ${platformId} AND stored.kind = possible.kind)`.execute(db);
  return new Set(rows.map(({ kind }) => kind));
}

/**
 * Determines the fact to use for each field of the releases to fill. For the same key and field, a
 * fact from the file replaces a stored fact. `kinds` are the kinds of these facts, at least one.
 * Reads `fillable_release`, `filled_serial_form` and all staged tables; rewrites `offered_fact`.
 */
export async function offerFacts(
  db: StagingDatabase,
  { platformId, sourceId }: { platformId: number | null; sourceId: number | null },
  kinds: ReadonlySet<MetadataKey>,
): Promise<void> {
  await db.deleteFrom('offered_fact').execute();
  await sql`WITH keys AS (${keysOf(db, sourceId, kinds)})
    INSERT INTO ${sql.table('offered_fact')} (release_id, field, value)
    ${strongestFacts(factsOf(db, platformId))}`.execute(db);
}

/**
 * Returns the keys of these kinds by which facts identify the releases. Ignores the serials and
 * names that the source itself stated earlier, because the new file replaces them.
 */
function keysOf(
  { dialect }: StagingDatabase,
  sourceId: number | null,
  kinds: ReadonlySet<MetadataKey>,
): RawBuilder<unknown> {
  const fillable = sql`${sql.table('fillable_release')} AS fillable ${dialect.joinInOrder}`;
  const isOfOther = sql`source_id IS DISTINCT FROM ${sourceId}`;
  const keys: Record<MetadataKey, RawBuilder<unknown>> = {
    crc: sql`SELECT fillable.release_id, 'crc' AS kind, rom.crc32 AS key
        FROM ${fillable} rom ON rom.release_id = fillable.release_id WHERE NOT fillable.has_row_roms
      UNION SELECT fillable.release_id, 'crc', rom.crc32
        FROM ${fillable} ${sql.table('staged_rom')} AS rom
          ON rom.row_position = fillable.position WHERE fillable.has_row_roms`,
    serial: sql`SELECT fillable.release_id, 'serial' AS kind, known.serial AS key
        FROM ${fillable} release_serial AS known
          ON known.release_id = fillable.release_id WHERE ${isOfOther}
      UNION SELECT fillable.release_id, 'serial', staged.serial
        FROM ${fillable} ${sql.table('staged_serial')} AS staged
          ON staged.row_position = fillable.position
      UNION SELECT release_id, 'serial', serial FROM ${sql.table('filled_serial_form')}`,
    name: sql`SELECT fillable.release_id, 'name' AS kind, known.name AS key
        FROM ${fillable} source_row AS known
          ON known.release_id = fillable.release_id WHERE ${isOfOther}
      UNION SELECT fillable.release_id, 'name', staged.name
        FROM ${fillable} ${sql.table('staged_row')} AS staged
          ON staged.position = fillable.position`,
  };
  const wanted = factKinds.filter((kind) => kinds.has(kind)).map((kind) => keys[kind]);
  return sql.join(wanted, sql` UNION `);
}

/**
 * Returns the facts that match the keys. All kinds of key are joined in one query. With one query
 * for each kind, the planner could assume that a kind without statistics has no rows.
 */
function factsOf({ dialect }: StagingDatabase, platformId: number | null): RawBuilder<unknown> {
  const same = (one: string, other: string) =>
    sql`${sql.ref(`${one}.kind`)} = ${sql.ref(`${other}.kind`)}
      AND ${dialect.equalsKey(sql.ref(`${one}.key`), sql.ref(`${other}.key`))}`;
  const named = sql`SELECT keys.release_id, fact.field, fact.value, keys.kind
    FROM keys ${dialect.joinInOrder}`;
  return sql`${named} metadata_row AS fact
      ON fact.platform_id = ${platformId} AND ${same('fact', 'keys')}
    WHERE NOT EXISTS (
      SELECT 1 FROM ${sql.table('staged_fact')} AS staged
      WHERE ${same('staged', 'fact')} AND staged.field = fact.field)
    UNION ALL ${named} ${sql.table('staged_fact')} AS fact ON ${same('fact', 'keys')}`;
}
