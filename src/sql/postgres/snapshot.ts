import type { Snapshot } from '../engine.ts';
import type { Connection } from './connection.ts';
import { toAnswer } from './errors.ts';
import { findVersion } from './migrate.ts';
import { PostgresTableReader } from './table-reader.ts';

/** What tells of files; whoever changes one writes there first. */
const filesTables = 'file_reservation, stored_file, stored_object';
/** A lock waits for the transactions that are under way. */
const LOCK_MS = 60_000;

/**
 * Has `work` read a database in one transaction, which sees what was committed when it began. `beside` runs then, while
 * nobody changes `filesTables`.
 */
export async function takeSnapshot<R>(
  open: () => Promise<Connection>,
  work: (snapshot: Snapshot) => Promise<R>,
  beside: (() => Promise<void>) | undefined,
): Promise<R> {
  const reader = await open();
  try {
    await reader.run(
      'SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
    if (beside === undefined) await fixState(reader);
    else await whileNobodyWrites(open, () => fixState(reader).then(beside));
    const version = Number(await findVersion(reader));
    return await work({ version, reader: new PostgresTableReader(reader) });
  } catch (error) {
    throw toAnswer(error);
  } finally {
    await reader.end();
  }
}

/** What it sees is what was there at its first question. */
async function fixState(reader: Connection): Promise<void> {
  await reader.query('SELECT 1');
}

async function whileNobodyWrites(
  open: () => Promise<Connection>,
  work: () => Promise<void>,
): Promise<void> {
  const holder = await open();
  try {
    await holder.run(`SET idle_in_transaction_session_timeout = 0; BEGIN;
      SET LOCAL lock_timeout = ${LOCK_MS}; LOCK TABLE ${filesTables} IN SHARE MODE`);
    await work();
  } finally {
    await holder.end();
  }
}
