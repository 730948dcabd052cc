import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { adminPassword } from '../../measure/program.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { Check } from '../check.ts';
import { type FailedCall, failCall, straceSkipReason } from '../tools/strace.ts';

/**
 * System calls that write files and the database. The check makes each call fail with each of
 * `errors`, which are the errors of a failing or full disk.
 */
const calls = ['fsync', 'fdatasync', 'rename', 'link', 'unlink', 'pwrite64', 'ftruncate'];
const errors = ['EIO', 'ENOSPC'];
/**
 * Largest occurrence of each system call to fail. Occurrences fail one at a time, starting with the
 * first.
 */
const maxAt = 6;
const recoveryTimeoutMs = 5_000;

/**
 * Checks the state after any failed system call. An error response must leave the old state, and a
 * success the new state.
 */
export const failedCalls: Check = {
  name: 'failed-calls',
  control: {
    what: 'a failed change of files is not rolled back',
    changes: [
      {
        file: 'src/core/shared/files/file-changes.ts',
        from: '(await this.#restore({ reserved, since }, { kept, gone, takeBack }));',
        to: 'true;',
      },
    ],
  },
  skipReason: async () => straceSkipReason(),
  async measure(trial) {
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [1]), data);
    // With a single thread for file operations, "the second fsync" is unambiguous.
    const server = await trial.startServer(data, [], { UV_THREADPOOL_SIZE: '1' });
    try {
      const testServer = await openTestServer(server.url, data);
      let faults = 0;
      let wrong = 0;
      let inconsistent = 0;
      for (const change of changes) {
        for (const call of callsOf()) {
          await change.reset(testServer);
          const before = await testServer.readState();
          let status = 0;
          const log = join(trial.folder, 'strace.txt');
          const isInjected = await failCall(server.pid, call, log, async () => {
            status = await change.make(testServer);
          });
          if (!isInjected) {
            call.skipRest();
            continue;
          }
          faults += 1;
          const after = await testServer.readConsistentState();
          if (after === null) inconsistent += 1;
          const isNew = after !== null && after !== before;
          if (isNew !== (status >= 200 && status < 300)) wrong += 1;
        }
      }
      return [
        {
          what: 'responses that do not match the outcome',
          value: wrong,
          unit: `of ${faults}`,
          max: 0,
        },
        {
          what: 'files that differ from their records',
          value: inconsistent,
          unit: '',
          max: 0,
        },
        {
          what: 'faults below the minimum of 100',
          value: Math.max(0, 100 - faults),
          unit: '',
          max: 0,
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

/**
 * Yields each system call with each error, for its first to `maxAt`-th occurrence. `skipRest`
 * skips the later occurrences.
 */
function* callsOf(): Generator<FailedCall & { skipRest(): void }> {
  for (const name of calls) {
    for (const error of errors) {
      let isOver = false;
      for (let at = 1; at <= maxAt && !isOver; at += 1) {
        yield {
          name,
          error,
          at,
          skipRest() {
            isOver = true;
          },
        };
      }
    }
  }
}

/** First bytes of covers, in hexadecimal. The server detects the image type by these bytes. */
const png = '89504e470d0a1a0a00';
const jpeg = 'ffd8ff00';

interface Change {
  /** Makes the change. Returns the status of the response, or 0 if there is no response. */
  make(testServer: TestServer): Promise<number>;
  /** Restores the state before the change. */
  reset(testServer: TestServer): Promise<unknown>;
}

const changes: readonly Change[] = [
  {
    make: (testServer) => testServer.upload('a.zip', 'new'),
    reset: (testServer) => testServer.upload('a.zip', 'old'),
  },
  {
    make: (testServer) => testServer.upload('b.zip', 'new'),
    reset: (testServer) => testServer.remove('b.zip'),
  },
  {
    make: (testServer) => testServer.remove('a.zip'),
    reset: (testServer) => testServer.upload('a.zip', 'old'),
  },
  {
    make: (testServer) => testServer.putCover(png),
    reset: (testServer) => testServer.removeCover(),
  },
  {
    make: (testServer) => testServer.putCover(jpeg),
    reset: (testServer) => testServer.putCover(png),
  },
  {
    make: (testServer) => testServer.removeCover(),
    reset: (testServer) => testServer.putCover(png),
  },
];

interface TestServer {
  upload(name: string, text: string): Promise<number>;
  remove(name: string): Promise<number>;
  /** Uploads a cover for the only release. `hex` contains the cover's bytes in hexadecimal. */
  putCover(hex: string): Promise<number>;
  removeCover(): Promise<number>;
  /** Returns the files on disk with their checksums, and the newest audit entry of each action. */
  readState(): Promise<string>;
  /**
   * Returns the same as `readState` once the records match the disk. Returns null if they do not
   * match within the time limit.
   */
  readConsistentState(): Promise<string | null>;
}

const actions = ['archive.upload', 'archive.remove', 'cover.upload', 'cover.remove'];

async function openTestServer(url: string, data: string): Promise<TestServer> {
  const login = { username: 'admin', password: adminPassword };
  const request = async (path: string, init: RequestInit = {}) => {
    try {
      return await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } });
    } catch {
      return null;
    }
  };
  let headers: Record<string, string> = { 'content-type': 'application/json' };
  const response = await request('/api/auth/login', {
    method: 'POST',
    body: JSON.stringify(login),
  });
  if (!response?.ok) throw new Error('no login');
  const { token } = (await response.json()) as { token: string };
  headers = { authorization: `Bearer ${token}` };
  const filesIn = async (folder: string) => {
    const names = (await readdir(folder).catch(() => [])).sort();
    const sums = names.map(async (name) => {
      const sha256 = createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex');
      return { name, sha256 };
    });
    return JSON.stringify(await Promise.all(sums));
  };
  const onDisk = () => filesIn(join(data, 'store/games'));
  /** Returns the items of a list. Retries while the server is unavailable. */
  const list = async <T>(path: string): Promise<readonly T[]> => {
    for (const until = performance.now() + recoveryTimeoutMs; performance.now() < until; ) {
      const response = await request(path);
      if (response?.ok) return ((await response.json()) as { items: T[] }).items;
      await setTimeout(50);
    }
    throw new Error(`${path} is not answered`);
  };
  const recorded = async () => {
    const items = await list<{ name: string; sha256: string | null }>('/api/store?include=sha256');
    return JSON.stringify(items.map(({ name, sha256 }) => ({ name, sha256 })));
  };
  const newest = async (action: string) => {
    const [first] = await list<{ id: number }>(`/api/audit?action=${action}&limit=1`);
    return first?.id ?? 0;
  };
  const readState = async () => {
    const files = `${await onDisk()} ${await filesIn(join(data, 'covers'))}`;
    const audited = await Promise.all(actions.map(newest));
    return `${files} ${audited}`;
  };
  const send = async (path: string, bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const body = new FormData();
    body.append('file', new Blob([bytes]), name);
    return (await request(path, { method: 'POST', body }))?.status ?? 0;
  };
  const remove = async (path: string) => (await request(path, { method: 'DELETE' }))?.status ?? 0;
  return {
    readState,
    upload: (name, text) => send('/api/store/upload', new TextEncoder().encode(text), name),
    remove: (name) => remove(`/api/store/games/${name}`),
    putCover: (hex) => send('/api/cover/1', Uint8Array.from(Buffer.from(hex, 'hex')), 'cover'),
    removeCover: () => remove('/api/cover/1'),
    async readConsistentState() {
      const until = performance.now() + recoveryTimeoutMs;
      while (performance.now() < until) {
        if ((await onDisk()) === (await recorded())) return readState();
        await setTimeout(50);
      }
      return null;
    },
  };
}
