import type { Snapshot } from '../../engine/engine.ts';
import type { Fixed } from './native-copy.ts';
import { toOpenError } from '../errors.ts';
import type { QueryReply } from '../threads/protocol.ts';
import { SqliteTableReader } from './table-reader.ts';
import { DatabaseThread } from '../threads/thread.ts';

/**
 * Runs `work`, which reads the database in the state that `fixed` has fixed. A separate thread does
 * the reading, so other work may read and write meanwhile.
 */
export async function takeSnapshot<R>(
  database: string,
  fixed: Fixed,
  work: (snapshot: Snapshot) => Promise<R>,
): Promise<R> {
  const explain = (error: unknown): never => {
    throw toOpenError(error, database);
  };
  const thread = await DatabaseThread.start(database, 'reader').catch(explain);
  try {
    await fixed(() => thread.ask({ op: 'fix-state' }));
    const ask = (sql: string, params: readonly unknown[]) =>
      thread.ask<QueryReply>({ op: 'query', sql, params }).catch(explain);
    const { rows } = await ask('SELECT version FROM schema_version', []);
    return await work({ version: Number(rows[0]?.[0]), reader: new SqliteTableReader(ask) });
  } finally {
    await thread.stop();
  }
}
