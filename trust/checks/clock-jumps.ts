import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { generateDats } from '../../measure/dats.ts';
import { logIn, openUserClient, UserClient } from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import { clockSkipReason, makeClock } from '../tools/faked-clock.ts';

/** Offsets of the clock from the real time, in days. The jumps are made in this order. */
const jumps = [-1, 1, 3_650, 0, 2];
/** Jumps after which a daily job is due. */
const isDueAt = new Set([3_650, 2]);
const failures = 3;
const dayMs = 24 * 3_600_000;
/** Time within which a server checks for due schedules. */
const scheduleCheckMs = 11_000;

/**
 * Checks changes of the clock while a server runs. No change may extend a lifetime, cause a stall
 * or interrupt work.
 */
export const clockJumps: Check = {
  name: 'clock-jumps',
  control: {
    what: 'limits use the wall clock, and a job that seems silent by it counts as dead',
    changes: [
      {
        file: 'src/core/shared/clock.ts',
        from: 'monotonic: () => performance.now(),',
        to: 'monotonic: () => Date.now(),',
      },
      {
        file: 'src/core/jobs/jobs.ts',
        from: 'if (this.#steps.sinceLast() <= leaseMs) return false;',
        to: '',
      },
    ],
  },
  skipReason: async () => clockSkipReason(),
  async measure(trial) {
    const data = join(trial.folder, 'data');
    const [dat = ''] = await generateDats(join(trial.folder, 'dats'), [100]);
    await trial.run(['import', '--data', data, dat]);
    const clock = makeClock(join(trial.folder, 'clock'));
    const server = await trial.startServer(data, ['--login-failures', `${failures}`], clock.env);
    const wrong = new Map<string, number>();
    const expectThat = (what: string, isTrue: boolean) => {
      wrong.set(what, (wrong.get(what) ?? 0) + (isTrue ? 0 : 1));
    };
    try {
      const admin = await openUserClient(server.url);
      const keys = await makeTokens(admin);
      const person = new UserClient(server.url, keys[0]?.token ?? ''); // this token never expires
      const job = await startLongJob(person);
      await scheduleDailyScan(person);
      for (const [at, days] of jumps.entries()) {
        const name = `name-${at}`;
        await person.request('/api/users', { json: { username: name, password: 'p' } });
        for (let i = 0; i < failures; i += 1) await logIn(server.url, name, 'wrong');
        const before = await countScans(person);
        clock.set(`${days < 0 ? '' : '+'}${days}d`);
        for (let i = 0; i < 3; i += 1) {
          const { state } = await getJob(person, job);
          expectThat('interrupted jobs', state === 'running');
          await setTimeout(1_000);
        }
        const locked = (await logIn(server.url, name, 'p')).status === 429;
        expectThat('counts of failed logins that are forgotten', locked);
        expectThat('logins that are refused', (await logIn(server.url)).status === 200);
        for (const key of keys) {
          const { status } = await person.request('/api/auth/me', { token: key.token });
          const isLive = key.days === 0 || key.days > days;
          expectThat('tokens with a wrong lifetime', status === (isLive ? 200 : 401));
        }
        await checkChange(person, days, expectThat);
        expectThat('last uses that are not updated', await isUsedNow(person, keys[0]?.id, days));
        if (trial.isControl) continue;
        // The server must notice that the clock is back.
        if (days === 0) await setTimeout(scheduleCheckMs);
        if (!isDueAt.has(days)) continue;
        expectThat('schedules that do not start', await hasStartedScan(person, before));
      }
      await person.request(`/api/jobs/${job}/stop`, { method: 'POST' });
    } finally {
      await server.stop();
    }
    expectThat('damage to the database', isIntact(join(data, 'catalog.db')));
    return [...wrong].map(([what, value]) => ({ what, value, unit: '', max: 0 }));
  },
};

interface Key {
  readonly id: number;
  /** Lifetime of the token in days; 0 if it never expires. */
  readonly days: number;
  readonly token: string;
}

async function makeTokens(admin: UserClient): Promise<Key[]> {
  const keys: Key[] = [];
  for (const days of [0, 1, 30]) {
    const { json } = await admin.request('/api/auth/tokens', { json: { expires_in_days: days } });
    const { id, token } = json as { id: number; token: string };
    keys.push({ id, days, token });
  }
  return keys;
}

/**
 * Starts a job that would take days. The job runs in a separate process. Returns the id of the job.
 */
async function startLongJob(person: UserClient): Promise<number> {
  await person.upload('long.zip', new Uint8Array(1_000_000));
  const job = { kind: 'verify', options: { store: true, rate: 1 } };
  const { json } = await person.request('/api/jobs', { json: job });
  const { id } = json as { id: number };
  await setTimeout(5_000); // lets the job's process take over the job
  return id;
}

async function getJob(person: UserClient, id: number): Promise<{ state: string }> {
  return (await person.request(`/api/jobs/${id}`)).json as { state: string };
}

async function scheduleDailyScan(person: UserClient): Promise<void> {
  const soon = new Date(Date.now() - 60_000); // a time that has already passed today
  const time = `${soon.getHours()}:${soon.getMinutes()}`.replace(/\b\d\b/g, '0$&');
  await person.request('/api/schedules/scan', { method: 'PATCH', json: { on: true, time } });
}

async function countScans(person: UserClient): Promise<number> {
  const { json } = await person.request('/api/jobs?kind=scan');
  return (json as { items: unknown[] }).items.length;
}

async function hasStartedScan(person: UserClient, before: number): Promise<boolean> {
  for (const until = performance.now() + 2 * scheduleCheckMs; performance.now() < until; ) {
    if ((await countScans(person)) > before) return true;
    await setTimeout(200);
  }
  return false;
}

type ExpectThat = (what: string, isTrue: boolean) => void;

/**
 * Checks that entries written with the changed clock are listed at once, in the order in which they
 * were added.
 */
async function checkChange(
  person: UserClient,
  days: number,
  expectThat: ExpectThat,
): Promise<void> {
  const name = `${days}.zip`;
  await person.upload(name, new Uint8Array(1_000));
  const { json } = await person.request('/api/store?limit=500');
  const { items } = json as { items: { name: string }[] };
  expectThat(
    'archives that are not listed',
    items.some((item) => item.name === name),
  );
  for (const path of ['/api/audit?limit=500', '/api/jobs', '/api/auth/tokens']) {
    const list = (await person.request(path)).json as { items: { id: number }[] };
    const ids = list.items.map(({ id }) => id);
    const isInOrder = ids.every((id, i) => i === 0 || id < (ids[i - 1] ?? 0));
    expectThat('lists out of order', isInOrder && ids.length > 0);
  }
}

async function isUsedNow(
  person: UserClient,
  id: number | undefined,
  days: number,
): Promise<boolean> {
  const { json } = await person.request('/api/auth/tokens');
  const { items } = json as { items: { id: number; last_used_at: string | null }[] };
  const used = Date.parse(items.find((token) => token.id === id)?.last_used_at ?? '');
  return Math.abs(used - Date.now() - days * dayMs) < 120_000;
}

function isIntact(file: string): boolean {
  const database = new Database(file, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok';
  } finally {
    database.close();
  }
}
