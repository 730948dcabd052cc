import type { RawBuilder } from 'kysely';
import { onTestFinished } from 'vitest';
import { withClient } from '../../../src/core/shared/requests/client-context.ts';
import type { Database, Engine } from '../../../src/sql/engine/engine.ts';

export const isBusy = { kind: 'busy', message: 'busy', retryAfter: 1 };
export const staged = { columns: { id: 'integer' }, key: ['id'] } as const;
export const addPlatform = (db: Database, key: string) =>
  db.insertInto('platform').values({ key, name: key }).execute();

/** Runs `work` for a client. The client disconnects when the test ends. */
export function asClient<R>(work: () => Promise<R>): Promise<R> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  return withClient({ network: '192.0.2.1', signal: controller.signal }, work);
}

export async function keys({ read }: Engine): Promise<string[]> {
  const rows = await read.selectFrom('platform').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

export async function values<T>(db: Database, query: RawBuilder<unknown>): Promise<T[]> {
  const { rows } = await query.execute(db);
  return rows.flatMap((row) => Object.values(row as object)) as T[];
}

/** Returns the milliseconds until the work has ended, either with success or with an error. */
export async function durationOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work.catch(() => undefined);
  return performance.now() - started;
}
