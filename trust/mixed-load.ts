import { createHash } from 'node:crypto';
import { logIn, type UserClient } from '../measure/user-client.ts';

const archiveBytes = 200_000;
const releases = 200;

/** Simulates the load of many concurrent users. Compares each response with the expected one. */
export class MixedLoad {
  readonly #url: string;
  readonly #admin: UserClient;
  readonly #seed: number;
  responseCount = 0;
  wrong = 0;

  constructor(url: string, admin: UserClient, seed: number) {
    this.#url = url;
    this.#admin = admin;
    this.#seed = seed;
  }

  /** Uploads the files that the load requests from the start. */
  async prepare(): Promise<void> {
    await this.#admin.upload('read.zip', archive('read.zip'));
    await this.#admin.putCover(1, cover);
  }

  /** Runs one worker until the time `until`. Each worker changes only its own things. */
  async run(worker: number, until: number): Promise<void> {
    for (let turn = 0; performance.now() < until; turn += 1) {
      const number = createHash('sha256').update(`${this.#seed} ${worker} ${turn}`).digest();
      const work = this.#actions[number.readUInt16LE() % this.#actions.length];
      this.responseCount += 1;
      if (!(await work?.(worker, number.readUInt32LE(2)))) this.wrong += 1;
    }
  }

  readonly #actions: readonly ((worker: number, chance: number) => Promise<boolean>)[] = [
    async (_worker, chance) => {
      const offset = chance % 4_000;
      const { json, status } = await this.#admin.request(`/api/releases?limit=50&offset=${offset}`);
      const { items = [] } = (json ?? {}) as { items?: { name: string }[] };
      const names = items.map(({ name }) => name);
      const isOrdered = names.every((name, i) => i === 0 || (names[i - 1] ?? '') <= name);
      return status === 200 && items.length === 50 && isOrdered;
    },
    async (_worker, chance) => {
      const word = ['a', 'an', 'ra', 'japan', 'world'][chance % 5] ?? '';
      const { json, status } = await this.#admin.request(`/api/releases?q=${word}`);
      const { items = [] } = (json ?? {}) as { items?: { name: string }[] };
      return status === 200 && items.every(({ name }) => name.toLowerCase().includes(word));
    },
    async (_worker, chance) => {
      const id = 1 + (chance % releases);
      const { json, status } = await this.#admin.request(`/api/releases/${id}`);
      return status === 200 && (json as { id: number } | null)?.id === id;
    },
    async () => this.#isWhole('/api/cover/1', cover),
    async () => this.#isWhole('/api/store/download/games/read.zip', archive('read.zip')),
    async (worker, chance) => {
      const name = `own-${worker}-${chance % 20}.zip`;
      const { status } = await this.#admin.upload(name, archive(name));
      return status === 200 && this.#isWhole(`/api/store/download/games/${name}`, archive(name));
    },
    async (worker, chance) => {
      const path = `/api/store/games/own-${worker}-${chance % 20}.zip`;
      const { status } = await this.#admin.request(path, { method: 'DELETE' });
      return status === 200 || status === 404;
    },
    async (worker, chance) => {
      const id = releases + 1 + worker;
      const json = { description: `text ${chance}` };
      const { status } = await this.#admin.request(`/api/releases/${id}`, {
        method: 'PATCH',
        json,
      });
      const read = (await this.#admin.request(`/api/releases/${id}`)).json;
      return status === 200 && (read as { description?: string })?.description === json.description;
    },
    async (worker) => {
      const { status } = await this.#admin.putCover(releases + 1 + worker, cover);
      return status === 200 && this.#isWhole(`/api/cover/${releases + 1 + worker}`, cover);
    },
    async (worker, chance) => {
      if (chance % 5 > 0 || worker > 0)
        return (await this.#admin.request('/api/stats')).status === 200;
      return (await logIn(this.#url)).status === 200;
    },
  ];

  async #isWhole(path: string, bytes: Uint8Array): Promise<boolean> {
    try {
      const headers = { authorization: `Bearer ${this.#admin.token}` };
      const response = await fetch(this.#url + path, { headers });
      return response.status === 200 && Buffer.from(await response.arrayBuffer()).equals(bytes);
    } catch {
      return false;
    }
  }
}

const cover = new Uint8Array(50_000);
cover.set(Buffer.from('89504e470d0a1a0a', 'hex'));

function archive(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.alloc(archiveBytes, `${name} `));
}
