import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Ledger } from '../measure/ledger.ts';
import { openUserClient, type UserClient } from '../measure/user-client.ts';

const releasesWritten = 20;
const archivesOverwritten = 3;
const recoveryTimeoutMs = 5_000;
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** Client writes of every kind. The writes continue until `end` is called. */
export interface Writing {
  /** Stops the writes. Resolves after the last write has succeeded or failed. */
  end(): Promise<void>;
}

/**
 * Starts uploads, covers, edits, logins and logouts. The kinds run concurrently. At most one write
 * of each kind is in progress. Records the acknowledged writes in the ledger. `round` makes the
 * writes different from the writes of other rounds.
 */
export async function writeAll(url: string, ledger: Ledger, round: number): Promise<Writing> {
  const admin = await openUserClient(url);
  const username = `user-${round}`;
  const account = { username, password: 'p', role: 'user' };
  await ledger.write(`user ${username}`, 'there', () =>
    isOk(admin.request('/api/users', { json: account })),
  );
  let isOver = false;
  const all = writersOf({ url, admin, ledger, username, round }).map(async (write) => {
    for (let turn = 0; !isOver; turn += 1) await write(turn);
  });
  return {
    async end() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

function writersOf(options: {
  url: string;
  admin: UserClient;
  ledger: Ledger;
  username: string;
  round: number;
}): ((turn: number) => Promise<void>)[] {
  const { url, admin, ledger, username, round } = options;
  const upload = (name: string) => {
    const bytes = randomBytes(1_000 + Math.floor(Math.random() * 100_000));
    return ledger.write(`archive ${name}`, sha256Of(bytes), () => isOk(admin.upload(name, bytes)));
  };
  return [
    (turn) => upload(`${round}-${turn}.zip`),
    (turn) => upload(`again-${turn % archivesOverwritten}.zip`),
    (turn) => {
      const id = 1 + (turn % releasesWritten);
      const bytes = Buffer.concat([png, randomBytes(5_000)]);
      return ledger.write(`cover ${id}`, sha256Of(bytes), () => isOk(admin.putCover(id, bytes)));
    },
    (turn) => {
      const id = 1 + (turn % releasesWritten);
      const description = `${round} ${turn}`;
      const request = { method: 'PATCH', json: { description } };
      const edit = () => isOk(admin.request(`/api/releases/${id}`, request));
      return ledger.write(`edit ${id}`, description, edit);
    },
    async (turn) => {
      const login = await openUserClient(url, username, 'p').catch(() => null);
      if (login === null) return;
      ledger.recordAcknowledged(`token ${login.token}`, 'live');
      if (turn % 2 === 0) return;
      const end = () => isOk(login.request('/api/auth/logout', { method: 'POST' }));
      await ledger.write(`token ${login.token}`, 'ended', end);
    },
  ];
}

const isOk = async (response: ReturnType<UserClient['request']>) => (await response).status === 200;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Differences between the state of a server and the writes that it acknowledged. */
export interface Comparison {
  /** Things whose state differs from the acknowledged state. */
  readonly lost: string[];
  /**
   * Archives whose bytes do not match the recorded SHA-256, whether the write was acknowledged or
   * not.
   */
  readonly wrong: string[];
}

/**
 * Compares the state of a server with the writes that it acknowledged. Throws if the server cannot
 * be queried.
 */
export async function compare(url: string, data: string, ledger: Ledger): Promise<Comparison> {
  const admin = await openUserClient(url);
  const { archives, wrong } = await waitForArchives(admin, data);
  const { items: users } = await read<{ items: { username: string }[] }>(admin, '/api/users');
  const readersByKind: Readonly<Record<string, (name: string) => Promise<string | null>>> = {
    archive: async (name) => archives.get(name)?.sum ?? null,
    cover: (id) => sha256OfFile(join(data, 'covers', `${id}.png`)),
    edit: async (id) =>
      (await read<{ description: string }>(admin, `/api/releases/${id}`)).description,
    user: async (name) => (users.some(({ username }) => username === name) ? 'there' : null),
    async token(token) {
      const { status } = await admin.request('/api/auth/me', { token });
      return status === 200 ? 'live' : status === 401 ? 'ended' : null;
    },
    total: (path) => totalOf(admin, path),
  };
  const lost: string[] = [];
  for (const thing of ledger.things) {
    const [kind = '', name = ''] = thing.split(/ (.*)/);
    if (!ledger.verify(thing, (await readersByKind[kind]?.(name)) ?? null)) lost.push(thing);
  }
  return { lost, wrong };
}

/** Returns the number of items in a list. The ledger records this number as `total <path>`. */
export async function totalOf(person: UserClient, path: string): Promise<string> {
  return String((await read<{ total: number }>(person, path)).total);
}

/**
 * Reads the archives and their checksums. Soon after its start, the server recovers interrupted
 * changes in the background. Waits until the checksums match the records, or until a time limit
 * passes.
 */
async function waitForArchives(admin: UserClient, data: string) {
  for (const until = performance.now() + recoveryTimeoutMs; ; ) {
    const archives = await readArchives(admin, data);
    const differing = [...archives].filter(([, { recorded, sum }]) => recorded !== sum);
    const wrong = differing.map(([name]) => name);
    if (wrong.length === 0 || performance.now() > until) return { archives, wrong };
    await setTimeout(100);
  }
}

async function readArchives(admin: UserClient, data: string) {
  type Items = { items: { name: string; sha256: string | null }[] };
  const { items } = await read<Items>(admin, '/api/store?include=sha256');
  const all = items.map(async ({ name, sha256 }) => {
    const sum = await sha256OfFile(join(data, 'store/games', name));
    return [name, { recorded: sha256, sum }] as const;
  });
  return new Map(await Promise.all(all));
}

async function sha256OfFile(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null);
  return bytes && sha256Of(bytes);
}

async function read<T>(person: UserClient, path: string): Promise<T> {
  const { status, json } = await person.request(path);
  if (status !== 200) throw new Error(`GET ${path} was answered with ${status}`);
  return json as T;
}
