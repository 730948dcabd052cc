import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { refused } from '../../core/shared/errors.ts';
import type { Database, Engine } from '../engine.ts';

/** What a transaction may last, so that nobody notices that it holds the write lock. */
const targetMs = 30;
/** Between two transactions; longer than others wait between two tries to get the lock (`Connection.begin`). */
const pauseMs = 5;
/** Rows that need no parts. */
export const rowsAtOnce = 500;
const firstRows = 100;
const leastRows = 10;
const mostRows = 5_000;

/** Rows by their numbers, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Writes a large range of rows in short transactions, so that logins and edits get theirs in between. */
export async function writeInParts(
  { from, to }: Range,
  write: (part: Range) => Promise<void>,
): Promise<void> {
  let rows = firstRows;
  for (let next = from; next <= to; ) {
    const started = performance.now();
    const part = { from: next, to: Math.min(next + rows - 1, to) };
    await write(part);
    next = part.to + 1;
    const took = performance.now() - started;
    rows = Math.round(Math.min(Math.max((rows * targetMs) / took, leastRows), mostRows));
    if (next <= to) await setTimeout(pauseMs);
  }
}

/**
 * Hides the releases from the id on until the import ends. There must be none yet: those that are would be removed with
 * an import that fails.
 */
export async function claim(
  trx: Database,
  firstReleaseId: number,
  claimant: string,
): Promise<void> {
  const existing = trx.selectFrom('release').select('id').where('id', '>=', firstReleaseId);
  if (await existing.limit(1).executeTakeFirst()) throw new Error('the first new id is taken');
  const values = { first_release_id: firstReleaseId, claim: claimant };
  await trx.insertInto('unfinished_import').values(values).execute();
}

/** Throws refused() when another import has taken the place of this one, which was held up for long. */
export async function checkClaim(trx: Database, claimant: string | null): Promise<void> {
  const row = await trx.selectFrom('unfinished_import').select('claim').executeTakeFirst();
  if ((row?.claim ?? null) !== claimant)
    throw refused('another import took its place: run it again');
}

/** Shows what was hidden, in the transaction that ends the import. */
export async function endClaim(trx: Database): Promise<void> {
  await trx.deleteFrom('unfinished_import').execute();
}

/**
 * Removes what an import left that did not come to its end, which nobody saw: that of the claimant, or whoever's it is.
 */
export async function discardUnfinished(engine: Engine, claimant?: string): Promise<void> {
  const found = await engine.read.selectFrom('unfinished_import').selectAll().executeTakeFirst();
  if (found === undefined || found.claim !== (claimant ?? found.claim)) return;
  const last = await engine.read
    .selectFrom('release')
    .select((is) => is.fn.max('id').as('id'))
    .executeTakeFirst();
  const hidden = { from: found.first_release_id, to: last?.id ?? 0 };
  await writeInParts(hidden, (part) => engine.write((trx) => deleteReleases(trx, part)));
  await engine.write(async (trx) => {
    await sql`DELETE FROM source WHERE NOT EXISTS (
      SELECT 1 FROM import WHERE import.source_id = source.id)`.execute(trx);
    await endClaim(trx);
  });
}

async function deleteReleases(trx: Database, { from, to }: Range): Promise<void> {
  await trx.deleteFrom('release').where('id', '>=', from).where('id', '<=', to).execute();
}
