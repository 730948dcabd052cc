import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { filledFields } from '../../../core/shared/release-fields.ts';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase, StagingRows } from '../stage/staging-run.ts';
import { fieldOfFacts } from './field-of-facts.ts';
import { planSerials } from './filled-serials.ts';
import { kindsOfFacts, offerFacts } from './offered-facts.ts';
import { isEdited } from './precedence.ts';

/**
 * The releases for which metadata is looked up. For a DAT, these are the new and changed releases
 * of the DAT. For a metadata file, these are all releases of the platform.
 */
interface Scope {
  readonly kind: 'dat' | 'metadata';
  readonly platformId: number | null;
  /** Null if the source is new or the file is a metadata file. */
  readonly sourceId: number | null;
  /** Releases from this id on are ignored. */
  readonly end: number;
}

/** The number of releases to fill, and the number of those that get a serial. */
export interface Filled {
  readonly filled: number;
  readonly filledSerials: number;
}

/**
 * Plans the metadata and missing serials of releases. The values come from facts in the file and
 * facts stored for the platform. Fields edited by hand are not changed. Reads all tables of staged
 * and planned rows; writes `fillable_release`, `offered_fact`, `filled_serial`,
 * `filled_serial_form` and `filled_metadata`.
 */
export async function planMetadata(
  db: StagingDatabase,
  rows: StagingRows,
  scope: Scope,
): Promise<Filled> {
  const kinds = await kindsOfFacts(db, scope.platformId);
  if (kinds.size === 0) return { filled: 0, filledSerials: 0 };
  await collectFillable(db, scope);
  await offerFacts(db, scope, kinds);
  const filledSerials = await planSerials(db, rows);
  if (filledSerials > 0 && kinds.has('serial')) {
    await offerFacts(db, scope, kinds); // further facts may match new serials
  }
  await planFields(db);
  return { filled: await countFilled(db), filledSerials };
}

/**
 * Writes the releases for which facts are looked up. Reads `new_release` and `changed_release`;
 * writes `fillable_release`.
 */
async function collectFillable(db: StagingDatabase, scope: Scope): Promise<void> {
  const { kind, platformId, end } = scope;
  const fillable = sql`INSERT INTO ${sql.table('fillable_release')}
    (release_id, position, shows_row, has_row_roms)`;
  if (kind === 'metadata') {
    await sql`${fillable} SELECT id, NULL, false, false FROM release
      WHERE platform_id = ${platformId} AND id < ${end} ORDER BY id`.execute(db);
    return;
  }
  await sql`${fillable} SELECT release_id, position, true, true
    FROM ${sql.table('new_release')} ORDER BY release_id`.execute(db);
  await sql`${fillable} SELECT release_id, position, is_shown, has_other_roms
    FROM ${sql.table('changed_release')} ORDER BY release_id`.execute(db);
}

/** Plans the metadata fields to fill. Reads `offered_fact`; writes `filled_metadata`. */
async function planFields(db: StagingDatabase): Promise<void> {
  const differs = filledFields.map((field) => {
    const offered = sql.ref(`offered.${field}`);
    return sql`(${offered} IS NOT NULL AND ${offered} IS DISTINCT FROM ${sql.ref(`meta.${field}`)}
      AND NOT ${isEdited(sql.ref('offered.release_id'), field)})`;
  });
  await sql`INSERT INTO ${sql.table('filled_metadata')} (release_id, ${columns(filledFields)})
    SELECT offered.release_id, ${columns(filledFields, 'offered')}
    FROM (${offeredFields()}) AS offered
    LEFT JOIN release_meta AS meta ON meta.release_id = offered.release_id
    WHERE meta.release_id IS NULL OR ${sql.join(differs, sql` OR `)}`.execute(db);
}

/**
 * Returns the offered facts of each release in one row with a column for each field. Omits releases
 * whose only facts are a serial, or a month or day without a year. `where` restricts the facts,
 * which have the name `offered`.
 */
function offeredFields(where: RawBuilder<SqlBool> = sql`true`): RawBuilder<unknown> {
  const fields = filledFields.map((field) => sql`${fieldOfFacts(field)} AS ${sql.id(field)}`);
  return sql`SELECT release_id, ${sql.join(fields)} FROM ${sql.table('offered_fact')} AS offered
    WHERE ${where} GROUP BY release_id
    HAVING count(CASE WHEN field NOT IN ('month', 'day', 'serial') THEN 1 END) > 0`;
}

async function countFilled(db: StagingDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (
      SELECT release_id FROM ${sql.table('filled_serial')}
      UNION SELECT release_id FROM ${sql.table('filled_metadata')}) AS filled`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Returns a query for the fields that a metadata file would change if users had not edited them.
 * The only column `name` is a message for the report. Reads `offered_fact` and `staged_fact`.
 */
export function protectedFields(): RawBuilder<unknown> {
  // Few releases have edited fields, so the facts of the others are not grouped.
  const isOfEdited = sql<SqlBool>`offered.release_id IN (SELECT release_id FROM release_edit)`;
  const queries = filledFields.map((field) => {
    const fact = field === 'release_date' ? 'year' : field;
    const [shown, offered] = [sql.ref(`meta.${field}`), sql.ref(`offered.${field}`)];
    return sql`SELECT release.name || ': ' || ${sql.lit(field)} || ' stays ' || coalesce(${shown}, '')
        || ', the file says ' || ${offered} AS name
      FROM (${offeredFields(isOfEdited)}) AS offered
      JOIN release ON release.id = offered.release_id
      JOIN release_meta AS meta ON meta.release_id = offered.release_id
      WHERE ${isEdited(sql.ref('offered.release_id'), field)}
        AND ${offered} IS NOT NULL AND ${offered} IS DISTINCT FROM ${shown}
        AND EXISTS (
          SELECT 1 FROM ${sql.table('staged_fact')} AS staged WHERE staged.field = ${sql.lit(fact)})`;
  });
  return sql.join(queries, sql` UNION ALL `);
}
