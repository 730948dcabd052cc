import { CatalogError } from '../../core/shared/errors.ts';
import type { Snapshot } from '../engine.ts';
import type { Connection } from './connection.ts';
import { findVersion } from './migrate.ts';
import { toOpenError } from './server.ts';
import { PostgresTableReader } from './table-reader.ts';

/** The tables that record files. Every change of a file writes to them first. */
const filesTables = 'file_reservation, stored_file, stored_object';
/** How long the lock waits for transactions that are under way. */
const LOCK_MS = 60_000;
const BEGIN_MS = 10_000;
/**
 * Interval of keep-alive queries, well within the time after which the server ends an idle session;
 * see `settingsOf`.
 */
const ASK_MS = 5_000;

/** The database to read, and its name in messages. */
interface Read {
  readonly name: string;
  readonly open: () => Promise<Connection>;
}

/**
 * Has `work` read a database in one transaction, which sees the data committed when it began.
 * `beside` runs at that point, while `filesTables` cannot be changed. Errors of this database name
 * it, because `work` may also fail because of another one.
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
    // The transaction sees the state at its first query.
    const fixState = () => asked(reader.query('SELECT 1', [], soon()));
    if (beside === undefined) await fixState();
    else {
      const holder = await asked(open());
      try {
        await lockFiles(holder, explain);
        const isHeld = () => asked(holder.query('SELECT 1', [], soon()));
        await whileHeld(isHeld, async () => {
          await fixState();
          await beside();
        });
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

/** Locks the file tables. Throws busy() when other transactions hold them for too long. */
async function lockFiles(holder: Connection, explain: (error: unknown) => unknown): Promise<void> {
  try {
    await holder.run(
      `BEGIN; SET LOCAL lock_timeout = ${LOCK_MS};
        LOCK TABLE ${filesTables} IN SHARE MODE`,
      { until: performance.now() + LOCK_MS + BEGIN_MS },
    );
  } catch (error) {
    const isBusy = error instanceof CatalogError && error.kind === 'busy';
    throw isBusy ? error : explain(error);
  }
}

/**
 * Runs work while a session holds a lock. `isHeld` queries that session at intervals, because the
 * server ends an idle one. Throws the error of the last query once the work is done: a lost session
 * stays lost.
 */
async function whileHeld(isHeld: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  const asking = setInterval(() => void isHeld().catch(() => undefined), ASK_MS);
  try {
    await work();
  } finally {
    clearInterval(asking);
  }
  await isHeld();
}

const soon = () => ({ until: performance.now() + BEGIN_MS });
