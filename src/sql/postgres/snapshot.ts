import { CatalogError } from '../../core/shared/errors.ts';
import type { Snapshot } from '../engine.ts';
import type { Connection } from './connection.ts';
import { findVersion } from './migrate.ts';
import { toOpenError } from './server.ts';
import { PostgresTableReader } from './table-reader.ts';

/** What tells of files; whoever changes one writes there first. */
const filesTables = 'file_reservation, stored_file, stored_object';
/** A lock waits for the transactions that are under way. */
const LOCK_MS = 60_000;
const BEGIN_MS = 10_000;

/** The database that is read, and what it is called in messages. */
interface Read {
  readonly name: string;
  readonly open: () => Promise<Connection>;
}

/**
 * Has `work` read a database in one transaction, which sees what was committed when it began. `beside` runs then, while
 * nobody changes `filesTables`. What this database fails with is told with its name: `work` may fail by another one.
 */
export async function takeSnapshot<R>(
  { name, open }: Read,
  work: (snapshot: Snapshot) => Promise<R>,
  beside: (() => Promise<void>) | undefined,
): Promise<R> {
  const explain = (error: unknown) => toOpenError(error, name);
  const asked = <A>(answer: Promise<A>): Promise<A> =>
    answer.catch((error: unknown) => {
      throw explain(error);
    });
  const reader = await asked(open());
  try {
    await asked(
      reader.run(
        'SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
        soon(),
      ),
    );
    // What it sees is what was there at its first question.
    const fixState = () => asked(reader.query('SELECT 1', [], soon()));
    if (beside === undefined) await fixState();
    else {
      const holder = await asked(open());
      try {
        await lockFiles(holder, explain);
        await fixState();
        await beside();
      } finally {
        await holder.end();
      }
    }
    const version = Number(await asked(findVersion(reader)));
    return await work({ version, reader: new PostgresTableReader(reader, explain) });
  } finally {
    await reader.end();
  }
}

/** Throws busy() when others are at it for too long. */
async function lockFiles(holder: Connection, explain: (error: unknown) => unknown): Promise<void> {
  try {
    await holder.run(
      `SET idle_in_transaction_session_timeout = 0; BEGIN;
        SET LOCAL lock_timeout = ${LOCK_MS}; LOCK TABLE ${filesTables} IN SHARE MODE`,
      { until: performance.now() + LOCK_MS + BEGIN_MS },
    );
  } catch (error) {
    const isBusy = error instanceof CatalogError && error.kind === 'busy';
    throw isBusy ? error : explain(error);
  }
}

const soon = () => ({ until: performance.now() + BEGIN_MS });
