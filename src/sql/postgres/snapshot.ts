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
/** Well within the time after which the server ends a session that says nothing; see `settingsOf`. */
const ASK_MS = 5_000;

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

/** Throws busy() when others are at it for too long. */
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
 * Does work while a session has a lock, which is asked by `isHeld` again and again: the server ends one that says nothing.
 * Throws what the last question throws, when the work is done: a session that is lost stays so.
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
