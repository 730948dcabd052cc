/** @module-tag full */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBigDat } from '../support/data/big-dat.ts';
import {
  type ClientRequestOptions,
  type ClientResponse,
  fileForm,
  logIn,
  sendRequest,
} from '../support/http/client.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

const KILLS = 20;
/** A kill happens after at least one and at most this many acknowledged writes. */
const MAX_BETWEEN = 30;
const KEYS = [1, 2, 3];

/** A kind of write, and how a client reads the result. */
interface Kind {
  write(key: number, version: number): readonly [path: string, question: ClientRequestOptions];
  /**
   * Returns the version that a reader sees, or 0 if there is none. Throws for a mixture of two
   * versions.
   */
  read(key: number): Promise<number>;
}

let sandbox: Sandbox;
let server: Server;
let token: string;
const api = (path: string, question: ClientRequestOptions = {}): Promise<ClientResponse> =>
  sendRequest(`${server.url}/api${path}`, { token, ...question });

beforeAll(async () => {
  sandbox = await openSandbox();
  const dat = join(sandbox.folder, 'some.dat');
  await writeBigDat(dat, KEYS.length, { serial: 'v' });
  expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
});
afterAll(() => sandbox.close());

const kinds: Readonly<Record<string, Kind>> = {
  archive: {
    write: (key, version) => ['/store/upload', fileForm(`f${key}.iso`, content(version, 300_000))],
    async read(key) {
      const { status, text } = await api(`/store/download/games/f${key}.iso`);
      return status === 404 ? 0 : versionOf(text, 300_000);
    },
  },
  cover: {
    write: (key, version) => [
      `/cover/${key}`,
      fileForm('cover', `${version % 2 ? 'RIFF0000WEBP' : '\x89PNG'}${content(version, 50_000)}`),
    ],
    async read(key) {
      const { status, text } = await api(`/cover/${key}`);
      return status === 404 ? 0 : versionOf(text.slice(text.indexOf('v')), 50_000);
    },
  },
  release: {
    write: (key, version) => [
      `/releases/${key}`,
      { method: 'PATCH', json: { serial: `v${version}`, developer: `v${version}` } },
    ],
    async read(key) {
      const { json } = await api(`/releases/${key}`);
      if (json.meta.developer === undefined) return 0;
      expect(json.serial).toBe(json.meta.developer);
      return Number(json.serial.slice(1));
    },
  },
  user: {
    write: (key, version) => [
      '/users',
      { json: { username: `u${key}.${version}`, password: 'p' } },
    ],
    async read(key) {
      const { json } = await api('/users');
      const names: string[] = json.items.map((user: { username: string }) => user.username);
      const versions = names.filter((name) => name.startsWith(`u${key}.`)).map(numberAfterDot);
      return Math.max(0, ...versions);
    },
  },
};

describe('the server', () => {
  // A write whose response was 200 survives a kill -9. Any other write is visible either
  // completely or not at all.
  test(`loses no acknowledged write in ${KILLS} kills under mixed writes`, async () => {
    /**
     * The last acknowledged version, by kind and key. `sent` contains the last version that was
     * sent.
     */
    const acknowledged = new Map<string, number>();
    const sent = new Map<string, number>();
    let writes = 0;
    let unfinished = 0;

    async function writeUntilKilled(kind: Kind, name: string, key: number): Promise<void> {
      const id = `${name} ${key}`;
      for (;;) {
        const version = (sent.get(id) ?? 0) + 1;
        sent.set(id, version);
        const [path, question] = kind.write(key, version);
        const response = await api(path, question).catch(() => null);
        if (response === null) return;
        expect(response.status).toBe(200);
        acknowledged.set(id, version);
        writes++;
      }
    }

    for (let round = 0; round <= KILLS; round++) {
      server = await sandbox.serve(['--log-level', 'warn']);
      token ??= await logIn(server.url);
      expect(unfinishedWork()).toEqual([]);
      expect(integrity()).toBe('ok');
      for (const [name, kind] of Object.entries(kinds)) {
        for (const key of KEYS) {
          const id = `${name} ${key}`;
          const version = await kind.read(key);
          const [lowest, highest] = [acknowledged.get(id) ?? 0, sent.get(id) ?? 0];
          expect(version, id).toBeGreaterThanOrEqual(lowest);
          expect(version, id).toBeLessThanOrEqual(highest);
        }
      }
      await expect.poll(reserved).toBe(0);
      expect(filesOnDisk()).toEqual(recordedFiles());
      if (round === KILLS) break;
      const writing = Object.entries(kinds).flatMap(([name, kind]) =>
        KEYS.map((key) => writeUntilKilled(kind, name, key)),
      );
      // Kill the server at a random moment after some writes were acknowledged.
      const enough = writes + Math.floor(Math.random() * MAX_BETWEEN);
      await expect.poll(() => writes).toBeGreaterThan(enough);
      server.kill('SIGKILL');
      const { signal, stderr } = await server.ended;
      expect(signal).toBe('SIGKILL');
      // At its start, the server logs the changes that it recovered after the previous kill. The
      // server must not log anything else.
      expect(stderr.replace(/.*"recovered an interrupted file change"}\n/g, '')).toBe('');
      await Promise.all(writing);
      unfinished += unfinishedWork().length;
    }
    console.log(`${writes} acknowledged writes, ${unfinished} unfinished files swept`);
    expect(unfinished).toBeGreaterThan(0); // otherwise no kill has interrupted a write
  }, 180_000);
});

/** Returns a text of `size` characters with its version at both ends. */
function content(version: number, size: number): string {
  const mark = `v${version};`;
  return mark + '.'.repeat(size - 2 * mark.length) + mark;
}

function versionOf(text: string, size: number): number {
  const version = Number(/^v(\d+);/.exec(text)?.[1]);
  if (text !== content(version, size)) throw new Error(`half a file: ${text.slice(0, 40)}`);
  return version;
}

function unfinishedWork(): string[] {
  const tmp = join(sandbox.data, 'tmp');
  return existsSync(tmp) ? readdirSync(tmp) : [];
}

/** Returns the name and checksum of each cover and archive on disk. */
function filesOnDisk(): string[] {
  const folders = ['covers', 'store/games'].map((folder) => join(sandbox.data, folder));
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        return `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
      }),
  );
}

/** Returns the name and checksum of each file that the database records. */
function recordedFiles(): unknown[] {
  return inDatabase((database) => {
    const rows = database.prepare(
      `SELECT name || ' ' || sha256 FROM stored_file ORDER BY area, name`,
    );
    return rows.pluck().all();
  });
}

/** Returns the number of file changes in progress. */
function reserved(): unknown {
  return inDatabase((database) =>
    database.prepare('SELECT count(*) FROM file_reservation').pluck().get(),
  );
}

function integrity(): unknown {
  return inDatabase((database) => {
    expect(database.pragma('foreign_key_check')).toEqual([]);
    return database.pragma('integrity_check', { simple: true });
  });
}

function inDatabase<T>(read: (database: Database.Database) => T): T {
  const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function numberAfterDot(name: string): number {
  return Number(name.split('.')[1]);
}
