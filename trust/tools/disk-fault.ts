import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { runTool } from '../../measure/mounts.ts';
import {
  type ApiResponse,
  logIn,
  openUserClient,
  type UserClient,
} from '../../measure/user-client.ts';
import type { Trial } from '../trial.ts';

const faultMs = 10_000;
const recoveryTimeoutMs = 5_000;
const maxMs = 10_000;

/** A temporary fault of a disk, and the writes that are affected. */
export interface DiskFault {
  readonly name: string;
  readonly data: string;
  writes(admin: UserClient): (() => Promise<ApiResponse>)[];
  fail(): void;
  heal(): void;
  /** Removes the fault's resources, such as the mount. */
  end(): Promise<void>;
}

/**
 * Measures how a server with this data folder responds during the fault. Sends one write at a time.
 * Also measures the time until everything works again without a restart.
 */
export async function measureDiskFault(trial: Trial, fault: DiskFault): Promise<Figure[]> {
  const { name, data, writes, fail, heal, end } = fault;
  try {
    const [dat = ''] = await generateDats(join(trial.folder, `dats-${name}`), [100]);
    await trial.run(['import', '--data', data, dat]);
    const server = await trial.startServer(data);
    try {
      const admin = await openUserClient(server.url);
      await admin.upload('a.zip', new Uint8Array(2_000));
      const before = await readState(admin);
      await readAll(admin);
      runTool('sync', '-f', data);
      fail();
      const responses: ApiResponse[] = [];
      const served: ApiResponse[] = [];
      const ready: ApiResponse[] = [];
      for (const until = performance.now() + faultMs; performance.now() < until; ) {
        for (const write of writes(admin)) responses.push(await write());
        served.push(...(await readAll(admin)));
        ready.push(await admin.request('/api/health/ready'));
        await setTimeout(500);
      }
      const during = await readState(admin);
      heal();
      const recoveryMs = await measureRecovery(server.url, admin, writes(admin));
      const number = (what: string, value: number, unit: string, max: number): Figure => ({
        what: `${name}: ${what}`,
        value,
        unit,
        max,
      });
      const isTimelyRefusal = ({ status, json, ms }: ApiResponse) =>
        status >= 500 && json !== null && ms < maxMs;
      return [
        number(
          'writes not refused as an error',
          responses.filter((response) => !isTimelyRefusal(response)).length,
          `of ${responses.length}`,
          0,
        ),
        number('changes by refused writes', before === during ? 0 : 1, '', 0),
        number(
          'reads not served',
          served.filter(({ status }) => status !== 200).length,
          `of ${served.length}`,
          0,
        ),
        number(
          'readiness checks without 503',
          ready.filter(({ status }) => status !== 503).length,
          `of ${ready.length}`,
          0,
        ),
        number('until all works again', recoveryMs, 'ms', recoveryTimeoutMs),
      ];
    } finally {
      heal();
      await server.stop();
    }
  } finally {
    await end();
  }
}

const paths = ['/api/releases', '/api/releases/1', '/api/store', '/api/auth/me', '/api/health'];

async function readAll(admin: UserClient): Promise<ApiResponse[]> {
  const all = [...paths, '/api/store/download/games/a.zip'];
  return Promise.all(all.map((path) => admin.request(path)));
}

/**
 * Returns the state that the writes would change: the archives, a release, and the number of
 * tokens.
 */
async function readState(admin: UserClient): Promise<string> {
  const [store, release, tokens] = await Promise.all(
    ['/api/store?include=sha256', '/api/releases/1', '/api/auth/tokens'].map((path) =>
      admin.request(path),
    ),
  );
  const { items } = (tokens?.json ?? { items: [] }) as { items: unknown[] };
  return JSON.stringify([store?.json, release?.json, items.length]);
}

/**
 * Returns the milliseconds until the writes and a login succeed and the server reports that it is
 * ready. Returns NaN if a time limit passes first.
 */
async function measureRecovery(
  url: string,
  admin: UserClient,
  writes: (() => Promise<ApiResponse>)[],
): Promise<number> {
  const since = performance.now();
  while (performance.now() - since < 2 * recoveryTimeoutMs) {
    const all: ApiResponse[] = [];
    for (const write of writes) all.push(await write());
    all.push(await logIn(url), await admin.request('/api/health/ready'));
    if (all.every(({ status }) => status === 200)) return performance.now() - since;
    await setTimeout(100);
  }
  return Number.NaN;
}
