import { refused } from '../../core/shared/errors.ts';
import type { RowTarget } from '../rows/row-ports.ts';
import type { RowTable } from '../rows/row-tables.ts';
import { Connection } from './connection.ts';
import { PostgresTarget } from './fill.ts';
import { changeSchema, createTables, findVersion } from './migrate.ts';
import { migrations } from './migrations/list.ts';
import { canNoticeGone, checkServer, nameOf, settingsOf, toOpenError } from './server.ts';

const CONNECT_MS = 4_000;

/**
 * Has `work` fill the empty database at an address, in one transaction with the creation of its tables: whatever breaks it
 * off, the database is empty then. Throws refused() with a line for one that is not empty, or cannot be used.
 */
export async function fillPostgres<R>(
  address: string,
  options: { version: number; tables: readonly RowTable[] },
  work: (target: RowTarget, name: string) => Promise<R>,
): Promise<R> {
  const name = nameOf(address);
  const steps = migrations.filter(({ version }) => version <= options.version);
  try {
    const connection = await Connection.open(address, settings, CONNECT_MS);
    try {
      await checkServer(connection, name);
      await canNoticeGone(connection);
      return await changeSchema(connection, async () => {
        await refuseContent(connection, name);
        await createTables(connection, name, steps);
        return work(await PostgresTarget.begin(connection, options.tables), name);
      });
    } finally {
      await connection.end();
    }
  } catch (error) {
    throw toOpenError(error, name);
  }
}

const settings = {
  ...settingsOf('writer', false),
  // The rows come as fast as they can be read elsewhere.
  idle_in_transaction_session_timeout: '0',
  // For indexes, each of which is one sort.
  maintenance_work_mem: '128MB',
};

async function refuseContent(connection: Connection, name: string): Promise<void> {
  const version = await findVersion(connection);
  if (version === 0) return;
  const what = version === null ? 'tables of another program' : 'a catalogue';
  throw refused(`${name} is not empty, it holds ${what}: name a database without tables`);
}
