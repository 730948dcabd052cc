import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { mount, mountSkipReason, unmount } from '../../measure/mounts.ts';
import {
  type ApiResponse,
  logIn,
  openUserClient,
  type UserClient,
} from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import type { Trial } from '../trial.ts';

const mib = 1_048_576;
const recoveryTimeoutMs = 5_000;
const maxWrites = 5_000;

/**
 * Ways in which a disk is full. `options` are mount options. `fill` uses up the remaining space or
 * inodes and returns a function that frees them.
 */
const ways = {
  bytes: { options: 'size=160m', fill: fillBytes },
  inodes: { options: 'size=128m,nr_inodes=500', fill: fillInodes },
};

/**
 * Checks that writes on a full disk fail with 507 and leave no files. Reads, logins and removals
 * must still work. Once there is space, everything must work again.
 */
export const fullDisk: Check = {
  name: 'full-disk',
  control: {
    what: 'no disk space is reserved, and incomplete files are kept',
    changes: [
      {
        file: 'src/cli/server/run-server.ts',
        from: '    await catalog.reserveDiskSpace();\n',
        to: '',
      },
      {
        file: 'src/files/local/stage-file.ts',
        from: '    await discard(path);\n    throw',
        to: '    throw',
      },
    ],
  },
  skipReason: async () => mountSkipReason(),
  async measure(trial) {
    const figures: Figure[] = [];
    for (const way of ['bytes', 'inodes'] as const) figures.push(...(await measureOne(trial, way)));
    return figures;
  },
};

async function measureOne(trial: Trial, way: keyof typeof ways): Promise<Figure[]> {
  const disk = join(trial.folder, way);
  const data = join(disk, 'data');
  mount(disk, '-t', 'tmpfs', '-o', ways[way].options, 'tmpfs');
  try {
    const [dat = ''] = await generateDats(join(trial.folder, `dats-${way}`), [100]);
    await trial.run(['import', '--data', data, dat]);
    const server = await trial.startServer(data);
    try {
      const admin = await openUserClient(server.url);
      const small = new Uint8Array(100_000);
      const before = [await admin.upload('a.zip', small), await admin.upload('b.zip', small)];
      before.push(await admin.request('/api/users', { json: { username: 'u', password: 'p' } }));
      if (before.some(({ status }) => status !== 200)) throw new Error('the disk is too small');

      const refusedWrites = [];
      if (way === 'bytes')
        refusedWrites.push(await admin.upload('a.zip', new Uint8Array(170 * mib)));
      const free = ways[way].fill(join(disk, 'filler'));
      refusedWrites.push(await admin.upload('a.zip', new Uint8Array(mib)));
      refusedWrites.push(await admin.putCover(1, small));
      const served = await requestAll(server.url, admin);
      const removed = await admin.request('/api/store/games/b.zip', { method: 'DELETE' });
      const left = readdirSync(join(data, 'tmp')).filter((name) => name !== 'uploads');
      free();
      const refill = ways[way].fill(join(disk, 'filler'));
      const writes = way === 'bytes' ? await writeUntilRefused(admin) : [];
      const reads = await readAll(admin);
      refill();
      const recoveryMs = await measureRecovery(server.url, admin);
      const number = (what: string, value: number, unit: string, max: number): Figure => ({
        what: `no ${way}: ${what}`,
        value,
        unit,
        max,
      });
      return [
        number(
          'uploads and covers not refused with 507',
          countOther(refusedWrites, 507),
          `of ${refusedWrites.length}`,
          0,
        ),
        number('files left by them', left.length, '', 0),
        number(
          'reads, logins, removals refused',
          countOther([...served, removed, ...reads], 200),
          `of ${served.length + 1 + reads.length}`,
          0,
        ),
        number(
          'writes with a status other than 200 and 507',
          writes.filter(({ status }) => status !== 200 && status !== 507).length,
          `of ${writes.length}`,
          0,
        ),
        number('until all works again', recoveryMs, 'ms', recoveryTimeoutMs),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await unmount(disk);
  }
}

const countOther = (responses: readonly ApiResponse[], wanted: number) =>
  responses.filter(({ status }) => status !== wanted).length;

async function readAll(admin: UserClient): Promise<ApiResponse[]> {
  const paths = ['/api/releases', '/api/releases/1', '/api/releases?search=a', '/api/store'];
  const own = ['/api/auth/me', '/api/store/download/games/a.zip', '/api/health'];
  return Promise.all([...paths, ...own].map((path) => admin.request(path)));
}

async function requestAll(url: string, admin: UserClient): Promise<ApiResponse[]> {
  return [await logIn(url), ...(await readAll(admin)), await logIn(url)];
}

/** Changes a user until the database has no room left either. Returns the responses. */
async function writeUntilRefused(admin: UserClient): Promise<ApiResponse[]> {
  const { json } = await admin.request('/api/users');
  const user = (json as { items: { id: number; username: string }[] }).items.find(
    ({ username }) => username === 'u',
  );
  const responses: ApiResponse[] = [];
  for (let i = 0; i < maxWrites; i += 1) {
    const role = i % 2 === 0 ? 'editor' : 'user';
    const response = await admin.request(`/api/users/${user?.id}`, {
      method: 'PATCH',
      json: { role },
    });
    responses.push(response);
    if (response.status !== 200) return responses;
  }
  throw new Error('the database does not become full');
}

/**
 * Returns the milliseconds until logins, uploads and covers succeed and the server reports that it
 * is ready. Returns NaN if a time limit passes first.
 */
async function measureRecovery(url: string, admin: UserClient): Promise<number> {
  const bytes = new Uint8Array(1_000);
  const since = performance.now();
  while (performance.now() - since < 2 * recoveryTimeoutMs) {
    const writes = [logIn(url), admin.upload('c.zip', bytes), admin.putCover(1, bytes)];
    const all = await Promise.all([...writes, admin.request('/api/health/ready')]);
    if (countOther(all, 200) === 0) return performance.now() - since;
    await setTimeout(100);
  }
  return Number.NaN;
}

function fillBytes(filler: string): () => void {
  const { bavail, bsize } = statfsSync(join(filler, '..'));
  try {
    writeFileSync(filler, Buffer.alloc((bavail + 1) * bsize));
  } catch {
    // the write failed because the disk is full
  }
  return () => rmSync(filler);
}

function fillInodes(filler: string): () => void {
  const created: string[] = [];
  try {
    for (let i = 0; ; i += 1) {
      writeFileSync(`${filler}-${i}`, '');
      created.push(`${filler}-${i}`);
    }
  } catch {
    // the file could not be created because no inodes are left
  }
  return () => created.forEach((file) => void rmSync(file));
}
