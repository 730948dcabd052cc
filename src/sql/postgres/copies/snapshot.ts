import { CatalogError } from '../../../core/shared/errors.ts';
import type { Snapshot } from '../../engine/engine.ts';
import { findVersion } from '../migrate.ts';
import type { Connection } from '../sessions/connection.ts';
import { toOpenError } from '../sessions/server.ts';
import { PostgresTableReader } from './table-reader.ts';

/** The tables that record files. Every change of a file first writes to one of these tables. */
const filesTables = 'file_reservation, stored_file, stored_object';
/** Maximum time to wait for the end of transactions that use these tables, in ms. */
const LOCK_MS = 60_000;
const BEGIN_MS = 10_000;
/**
 * Interval of the queries that keep a session alive, in ms. The server ends a session that is idle
 * for too long; see `settingsOf`.
 */
const KEEP_ALIVE_MS = 5_000;

/** The database to read. `name` is its name in messages. */
interface SnapshotSource {
  readonly name: string;
  readonly open: () => Promise<Connection>;
}

/**
 * Runs `work`, which reads a database in one transaction. The transaction sees the data that is
 * committed when the transaction begins. `whileLocked` runs at this point, while `filesTables`
 * cannot be changed. Errors of this database name it in their messages, because `work` may also use
 * another database.
 */
export async function takeSnapshot<R>(
  { name, open }: SnapshotSource,
  work: (snapshot: Snapshot) => Promise<R>,
  whileLocked: (() => Promise<void>) | undefined,
): Promise<R> {
  const explain = (error: unknown) => toOpenError(error, name);
  const explained = <A>(response: Promise<A>): Promise<A> =>
    response.catch((error: unknown) => {
      throw explain(error);
    });
  const reader = await explained(open());
  try {
    await explained(
      reader.run(
        'SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
        beginLimits(),
      ),
    );
    // The first query of the transaction creates its snapshot.
    const fixState = () => explained(reader.query('SELECT 1', [], beginLimits()));
    if (whileLocked === undefined) await fixState();
    else {
      const holder = await explained(open());
      try {
        await lockFiles(holder, explain);
        const isHeld = () => explained(holder.query('SELECT 1', [], beginLimits()));
        await whileHeld(isHeld, async () => {
          await fixState();
          await whileLocked();
        });
      } finally {
        await holder.end();
      }
    }
    const version = Number(await explained(findVersion(reader)));
    return await work({ version, reader: new PostgresTableReader(reader, explain) });
  } finally {
    await reader.end();
  }
}

/**
 * Locks the tables that record files against changes. Throws busy() if other transactions use the
 * tables for too long.
 */
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
 * Runs work while another session keeps a lock. `isHeld` sends a query on that session. `isHeld` is
 * called at intervals, because the server ends an idle session. After the work, `isHeld` is called
 * again and its error is thrown. This call also detects an earlier loss, because a lost session
 * stays lost.
 */
async function whileHeld(isHeld: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  const keepAlive = setInterval(() => void isHeld().catch(() => undefined), KEEP_ALIVE_MS);
  try {
    await work();
  } finally {
    clearInterval(keepAlive);
  }
  await isHeld();
}

const beginLimits = () => ({ until: performance.now() + BEGIN_MS });
