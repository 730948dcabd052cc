import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { adminPassword } from '../../measure/program.ts';
import { timeImport } from '../../measure/timed-import.ts';
import {
  createUserClient,
  logIn,
  openUserClient,
  type UserClient,
} from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import type { Trial } from '../trial.ts';

const times = 50;
const archiveSize = 600_000;

/**
 * Checks concurrent actions. Exactly one of several conflicting actions may succeed, and a file
 * that is overwritten must never contain a mixture.
 */
export const races: Check = {
  name: 'races',
  control: {
    what: 'the last admin can be demoted',
    changes: [
      {
        file: 'src/sql/accounts/active-admins.ts',
        from: 'if (wasActiveAdmin && !(',
        to: 'if (!user && wasActiveAdmin && !(',
      },
    ],
  },
  async measure(trial) {
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [1]), data);
    const server = await trial.startServer(data);
    const admin = await openUserClient(server.url);
    const figures: Figure[] = [];
    try {
      figures.push(await sameNames(admin));
      figures.push(...(await overwrittenArchives(server.url, admin)));
      figures.push(...(await swappedCovers(server.url, admin, data)));
      figures.push(await crossedDemotions(server.url, admin));
    } finally {
      await server.stop();
    }
    return [...figures, ...(await firstStarts(trial))];
  },
};

const none = { unit: '', max: 0 };

async function sameNames(admin: UserClient): Promise<Figure> {
  const json = { username: 'wanted', password: 'x' };
  const requests = Array.from({ length: times }, () => admin.request('/api/users', { json }));
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  const created = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => status === 409).length;
  return {
    what: 'surplus accounts or responses for one name',
    value: Math.abs(created - 1) + Math.abs(refused - times + 1),
    ...none,
  };
}

/**
 * Overwrites an archive while it is downloaded. Each version consists of one repeated byte value,
 * so that a mixture of versions is detectable.
 */
async function overwrittenArchives(url: string, admin: UserClient): Promise<Figure[]> {
  const version = (n: number) => new Uint8Array(archiveSize + n).fill(n);
  await admin.upload('raced.zip', version(1));
  let [isDone, mixed, bodies] = [false, 0, 0];
  const reader = async () => {
    while (!isDone) {
      const headers = { authorization: `Bearer ${admin.token}` };
      const response = await fetch(`${url}/api/store/download/games/raced.zip`, { headers });
      const body = new Uint8Array(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
      bodies += 1;
      const [first = 0] = body;
      const isWhole = body.length === archiveSize + first && body.every((byte) => byte === first);
      if (response.status !== 200 || !isWhole) mixed += 1;
    }
  };
  const readers = Array.from({ length: 4 }, reader);
  let failed = 0;
  for (let n = 0; n < times; n += 5) {
    const uploads = Array.from({ length: 5 }, (_, i) =>
      admin.upload('raced.zip', version(n + i + 1)),
    );
    failed += (await Promise.all(uploads)).filter(({ status }) => status !== 200).length;
  }
  isDone = true;
  await Promise.all(readers);
  return [
    { what: 'downloads that are not a whole version', value: mixed, unit: `of ${bodies}`, max: 0 },
    { what: 'overwriting uploads that failed', value: failed, unit: `of ${times}`, max: 0 },
  ];
}

const covers = ['89504e470d0a1a0a00', '524946460000000057454250'].map((hex) =>
  Uint8Array.from(Buffer.from(hex, 'hex')),
);

async function swappedCovers(url: string, admin: UserClient, data: string): Promise<Figure[]> {
  await admin.putCover(1, covers[0] ?? new Uint8Array());
  const types = ['image/png', 'image/webp'];
  let wrong = 0;
  for (let n = 0; n < times; n += 2) {
    const reads = Array.from({ length: 4 }, async () => {
      const response = await fetch(`${url}/api/cover/1`);
      const body = Buffer.from(await response.arrayBuffer());
      const type = types.indexOf(response.headers.get('content-type') ?? '');
      if (response.status !== 200 || !body.equals(covers[type] ?? Buffer.alloc(0))) wrong += 1;
    });
    await Promise.all([...covers.map((bytes) => admin.putCover(1, bytes)), ...reads]);
  }
  const files = await readdir(join(data, 'covers'));
  return [
    { what: 'covers that differ from the uploads', value: wrong, unit: `of ${times * 2}`, max: 0 },
    { what: 'surplus files of a cover', value: files.length - 1, ...none },
  ];
}

/** Lets two admins demote each other at the same time, repeatedly. */
async function crossedDemotions(url: string, first: UserClient): Promise<Figure> {
  const second = await createUserClient(url, first, 'second', 'admin');
  const all = (await first.request('/api/users')).json as {
    items: { id: number; username: string }[];
  };
  const idOf = (name: string) => all.items.find(({ username }) => username === name)?.id ?? 0;
  const [firstId, secondId] = [idOf('admin'), idOf('second')];
  let wrong = 0;
  for (let n = 0; n < times; n += 1) {
    const demote = (admin: UserClient, id: number) =>
      admin.request(`/api/users/${id}`, { method: 'PATCH', json: { role: 'user' } });
    // An admin who was demoted may not demote others. Therefore only admins who demote themselves
    // show that the last admin is kept.
    const isMutual = n % 2 === 0;
    const [ofSecond, ofFirst] = await Promise.all([
      isMutual ? demote(first, secondId) : demote(second, secondId),
      isMutual ? demote(second, firstId) : demote(first, firstId),
    ]);
    const demoted = [ofSecond, ofFirst].filter(({ status }) => status === 200).length;
    if (demoted !== 1) wrong += 1;
    const [winner, lost] = ofSecond.status === 200 ? [first, secondId] : [second, firstId];
    await winner.request(`/api/users/${lost}`, { method: 'PATCH', json: { role: 'admin' } });
  }
  return {
    what: 'demotions that left no admin, or both',
    value: wrong,
    unit: `of ${times}`,
    max: 0,
  };
}

/**
 * Starts two servers on one new folder at once, so that both try to create the first admin. At
 * least one server must start. Each started server must accept a login, and only one user may
 * exist.
 */
async function firstStarts(trial: Trial): Promise<Figure[]> {
  let [admins, unusable] = [0, 0];
  const starts = 3;
  for (let n = 0; n < starts; n += 1) {
    const data = join(trial.folder, `first-${n}`);
    const started = await Promise.allSettled([trial.startServer(data), trial.startServer(data)]);
    const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const logins = await Promise.all(servers.map(({ url }) => logIn(url, 'admin', adminPassword)));
    if (servers.length === 0 || logins.some(({ status }) => status !== 200)) unusable += 1;
    const [one] = servers;
    if (one !== undefined) {
      const users = (await (await openUserClient(one.url)).request('/api/users')).json as {
        items: object[];
      };
      if (users.items.length !== 1) admins += 1;
    }
    await Promise.all(servers.map((server) => server.stop()));
    await readFile(join(data, 'catalog.db'));
  }
  return [
    { what: 'starts without exactly one admin', value: admins, unit: `of ${starts}`, max: 0 },
    {
      what: 'concurrent starts without a usable server',
      value: unusable,
      unit: `of ${starts}`,
      max: 0,
    },
  ];
}
