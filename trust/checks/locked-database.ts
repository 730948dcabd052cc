import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { type ApiResponse, openUserClient, type UserClient } from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import { Client, probe } from '../probe.ts';

const lockedMs = 10_000;
const maxResponseMs = 5_000;
const recoveryTimeoutMs = 5_000;
/** Limit for reads. The target is 100 ms; the difference allows for other work on the machine. */
const maxProbeMs = 250;

/**
 * Checks that all writes fail with "busy" while another process locks the database, and that reads
 * succeed.
 */
export const lockedDatabase: Check = {
  name: 'locked-database',
  control: {
    what: 'a write waits for the lock for a minute',
    changes: [
      {
        file: 'src/sql/sqlite/threads/writer.ts',
        from: 'const DEFAULT_BUSY_MS = 4500;',
        to: 'const DEFAULT_BUSY_MS = 60_000;',
      },
    ],
  },
  async measure(trial) {
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [100]), data);
    const server = await trial.startServer(data);
    const other = new Client(server.url, '127.0.0.2');
    try {
      const admin = await openUserClient(server.url);
      await probe(other, setTimeout(1_000), reads); // the first requests compile code
      const unlock = lock(join(data, 'catalog.db'));
      const responses: ApiResponse[] = [];
      const writing = writes(admin).map(async (write) => {
        for (const until = performance.now() + lockedMs - maxResponseMs; ; ) {
          responses.push(await write());
          if (performance.now() > until) return;
        }
      });
      const figures = await probe(other, setTimeout(lockedMs), reads, maxProbeMs);
      unlock();
      await Promise.all(writing);
      const freed = performance.now();
      const recoveryMs = await measureRecovery(admin, freed);
      return [
        ...figures,
        {
          what: 'writes that are not refused as "busy" with Retry-After',
          value: responses.filter((response) => !isBusy(response)).length,
          unit: `of ${responses.length}`,
          max: 0,
        },
        {
          what: 'the longest wait of a write',
          value: Math.max(...responses.map(({ ms }) => ms)),
          unit: 'ms',
          max: maxResponseMs,
        },
        {
          what: 'until a write works again',
          value: recoveryMs,
          unit: 'ms',
          max: recoveryTimeoutMs,
        },
      ];
    } finally {
      other.close();
      await server.stop();
    }
  },
};

const reads = [{ path: '/api/releases' }, { path: '/api/releases/1' }, { path: '/api/health' }];

function writes(admin: UserClient): (() => Promise<ApiResponse>)[] {
  const bytes = new Uint8Array(1_000);
  return [
    () => admin.request('/api/auth/tokens', { json: {} }),
    () =>
      admin.request('/api/users', { json: { username: `late-${randomUUID()}`, password: 'p' } }),
    () => admin.request('/api/releases/1', { method: 'PATCH', json: { name: 'Other' } }),
    () => admin.upload('late.zip', bytes),
    () => admin.putCover(1, bytes),
  ];
}

function isBusy({ status, headers, json }: ApiResponse): boolean {
  const { detail } = (json ?? {}) as { detail?: unknown };
  return status === 503 && headers.has('retry-after') && detail === 'busy';
}

/**
 * Returns the milliseconds from `since` until all writes succeed. Returns NaN if a time limit
 * passes first.
 */
async function measureRecovery(admin: UserClient, since: number): Promise<number> {
  while (performance.now() - since < 2 * recoveryTimeoutMs) {
    const all = await Promise.all(writes(admin).map((write) => write()));
    if (all.every(({ status }) => status === 200)) return performance.now() - since;
    await setTimeout(100);
  }
  return Number.NaN;
}

function lock(file: string): () => void {
  const database = new Database(file);
  database.exec('begin immediate');
  return () => {
    database.exec('rollback');
    database.close();
  };
}
