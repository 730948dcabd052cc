import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { refused } from '../../../core/shared/errors.ts';
import type { Database, Engine } from '../../engine/engine.ts';
import { PartWriter, type Range } from './import-batches.ts';

/** The state of the database on which an import is planned. */
export interface Basis {
  /**
   * Number of imports that ended or were discarded, from `import_version`. A change of this number
   * makes the plan invalid.
   */
  readonly version: number;
  /** The first id for new releases, above the ids of all visible releases. */
  readonly firstNew: number;
}

export async function readBasis(db: Database): Promise<Basis> {
  // Reads everything in one statement, so that no other import can begin between two reads.
  const { rows } = await sql<Basis>`SELECT number AS version,
      coalesce((SELECT first_release_id FROM unfinished_import), ${db.dialect.nextId('release')}) AS "firstNew"
    FROM import_version`.execute(db);
  const [basis] = rows;
  if (basis === undefined) throw new Error('import_version has no row');
  return basis;
}

/** Throws refused() if another import ended after the basis was read. */
export async function checkBasis(db: Database, { version }: Basis): Promise<void> {
  const row = await db.selectFrom('import_version').select('number').executeTakeFirst();
  if (row?.number !== version) throw refused(changedMeanwhile);
}

const changedMeanwhile = 'another import changed the catalogue meanwhile: run it again';

/**
 * Makes imports run one at a time. Call this function first in the transactions that begin and end
 * an import. Throws refused() if another import ended after the basis was read, because the plan is
 * then no longer valid. When an import begins, the version is written although it does not change.
 * Only a write excludes other imports on every engine.
 */
export async function lockImports(
  trx: Database,
  { version }: Basis,
  step: 'begin' | 'end',
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('import_version')
    .set({ number: step === 'end' ? version + 1 : version })
    .where('number', '=', version)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw refused(changedMeanwhile);
}

/**
 * Hides the releases from the id `firstNew` on until the import ends. Throws if such a release
 * already exists, because a failure of the import would remove the release. Call this function only
 * after `lockImports`.
 */
export async function claim(trx: Database, { firstNew }: Basis, claimant: string): Promise<void> {
  await checkNoClaim(trx);
  if ((await maxReleaseId(trx)) >= firstNew) throw new Error('the first new id is taken');
  const values = { first_release_id: firstNew, claim: claimant };
  await trx.insertInto('unfinished_import').values(values).execute();
}

/**
 * Throws refused() if another import is unfinished. Call this function only after `lockImports`.
 */
export async function checkNoClaim(trx: Database): Promise<void> {
  const row = await trx.selectFrom('unfinished_import').select('claim').executeTakeFirst();
  if (row !== undefined) throw refused(claimLost);
}

/**
 * Keeps the parts of a removal short. On a full disk, each part must fit into the disk space that
 * is reserved for removals.
 */
const shortParts = { partMs: () => 20 };

const claimLost = 'another import took its place: run it again';

/**
 * Throws refused() if another import has taken over the claim. Otherwise locks the claim until the
 * transaction ends.
 */
export async function lockClaim(trx: Database, claimant: string): Promise<void> {
  const query = trx.selectFrom('unfinished_import').select('claim').where('claim', '=', claimant);
  const row = await query.modifyEnd(trx.dialect.lockRows).executeTakeFirst();
  if (row === undefined) throw refused(claimLost);
}

/**
 * Makes the hidden releases visible by deleting the claim. Call this function in the transaction
 * that ends the import. Throws refused() if another import has taken over the claim.
 */
export async function endClaim(trx: Database, claimant: string): Promise<void> {
  const query = trx.deleteFrom('unfinished_import').where('claim', '=', claimant);
  const { numDeletedRows } = await query.executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw refused(claimLost);
}

/**
 * Removes the hidden releases of an unfinished import. If `claimant` is passed, removes only the
 * releases of this claimant.
 */
export async function discardUnfinished(engine: Engine, claimant?: string): Promise<void> {
  const found = await engine.read.selectFrom('unfinished_import').selectAll().executeTakeFirst();
  if (found === undefined || found.claim !== (claimant ?? found.claim)) return;
  // This new claim prevents the unfinished import from writing anything more, even if the import
  // still runs.
  const newClaim = randomUUID();
  if (!(await engine.write((trx) => takeOver(trx, found.claim, newClaim)))) return;
  const hidden = { from: found.first_release_id, to: await maxReleaseId(engine.read) };
  const remove = (part: Range) =>
    engine.write((trx) => deleteReleases(trx, part), { isPart: true });
  await new PartWriter(shortParts).write(hidden, remove);
  await engine.write(async (trx) => {
    await sql`DELETE FROM source WHERE NOT EXISTS (
      SELECT 1 FROM import WHERE import.source_id = source.id)`.execute(trx);
    await endClaim(trx, newClaim);
  });
}

/**
 * Returns the maximum id of all releases, or 0. Every engine finds it at the end of an index. A
 * condition on the id would make PostgreSQL read all releases, because it expects many matches.
 */
async function maxReleaseId(db: Database): Promise<number> {
  const query = db.selectFrom('release').select((is) => is.fn.max('id').as('id'));
  return (await query.executeTakeFirst())?.id ?? 0;
}

/**
 * Takes over the claim of an unfinished import. Returns true if the claim still existed. Also
 * increments the version, because plans that were made with the hidden releases are no longer
 * valid.
 */
async function takeOver(trx: Database, claim: string, newClaim: string): Promise<boolean> {
  await trx
    .updateTable('import_version')
    .set((is) => ({ number: is('number', '+', 1) }))
    .execute();
  const query = trx.updateTable('unfinished_import').set({ claim: newClaim });
  const { numUpdatedRows } = await query.where('claim', '=', claim).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function deleteReleases(trx: Database, { from, to }: Range): Promise<void> {
  await trx.deleteFrom('release').where('id', '>=', from).where('id', '<=', to).execute();
}
