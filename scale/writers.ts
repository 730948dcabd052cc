import { createHash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Ledger } from '../measure/ledger.ts';
import type { ApiResponse, UserClient } from '../measure/user-client.ts';
import type { Pair } from './pair.ts';

const archiveBytes = 50_000;
const archiveNames = 5;
/** Maximum number of tokens to create. A user may have at most 200. */
const maxTokens = 150;

/** The response to one request. */
export interface TimedResponse {
  readonly what: string;
  readonly response: ApiResponse;
  /** Time of the request, as a value of `performance.now()`. */
  readonly at: number;
}

/**
 * Writers that each change only their own things: a release, its cover, archives and tokens.
 * Acknowledged writes are recorded, to be compared with the catalogue afterwards.
 */
export class Writers {
  readonly #pair: Pair;
  readonly #ids: readonly number[];
  readonly #ledger = new Ledger();
  readonly #tokens = new Map<string, boolean>();
  readonly #onResponse: (timed: TimedResponse) => void;
  /** Distinguishes the tokens of these writers from the tokens of other writers. */
  readonly #run = randomUUID();

  /** `ids` contains the id of one release per writer. */
  constructor(
    pair: Pair,
    ids: readonly number[],
    onResponse: (timed: TimedResponse) => void = () => undefined,
  ) {
    this.#pair = pair;
    this.#ids = ids;
    this.#onResponse = onResponse;
  }

  /** Runs one writer until `isOver` returns true. The writer alternates between the instances. */
  async run(writer: number, isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const person = this.#pair.at(writer + (turn % 7 < 4 ? 0 : 1));
      if (turn % 12 === 2 && this.#tokens.size < maxTokens)
        await this.#makeToken(person, writer, turn);
      else if (turn % 12 === 8) await this.#putCover(person, writer, turn);
      else if (turn % 2 === 0) await this.#edit(person, writer, turn);
      else await this.#upload(person, writer, turn);
      await setTimeout(20);
    }
  }

  get acknowledged(): number {
    return this.#ledger.acknowledged + [...this.#tokens.values()].filter(Boolean).length;
  }

  /** Returns how many acknowledged writes are lost, and how many were executed more than once. */
  async compare(): Promise<{ lost: number; doubled: number }> {
    const person = this.#pair.at(0);
    let lost = 0;
    for (const thing of this.#ledger.things) {
      if (!this.#ledger.verify(thing, await readValue(person, thing))) lost += 1;
    }
    const { items } = (await person.request('/api/auth/tokens')).json as {
      items: { id: number; label: string }[];
    };
    const own = items.filter(({ label }) => label.startsWith(this.#run));
    for (const { id } of own) await person.request(`/api/auth/tokens/${id}`, { method: 'DELETE' });
    const counts = Map.groupBy(items, ({ label }) => label);
    let doubled = 0;
    for (const [name, isAcknowledged] of this.#tokens) {
      const count = counts.get(name)?.length ?? 0;
      if (isAcknowledged && count === 0) lost += 1;
      if (count > 1) doubled += 1;
    }
    return { lost, doubled };
  }

  async #edit(person: UserClient, writer: number, turn: number): Promise<void> {
    const id = this.#ids[writer] ?? 0;
    const description = `${writer} ${turn}`;
    await this.#ledger.write(`release ${id}`, description, () =>
      this.#isDone('edit', () =>
        person.request(`/api/releases/${id}`, { method: 'PATCH', json: { description } }),
      ),
    );
  }

  async #upload(person: UserClient, writer: number, turn: number): Promise<void> {
    const name = `${writer}-${turn % archiveNames}.zip`;
    const bytes = new Uint8Array(Buffer.alloc(archiveBytes, `${writer} ${turn} `));
    await this.#ledger.write(`archive ${name}`, sha256(bytes), () =>
      this.#isDone('upload', () => person.upload(name, bytes)),
    );
  }

  async #putCover(person: UserClient, writer: number, turn: number): Promise<void> {
    const id = this.#ids[writer] ?? 0;
    const bytes = new Uint8Array(Buffer.alloc(archiveBytes, `cover ${writer} ${turn} `));
    await this.#ledger.write(`cover ${id}`, sha256(bytes), () =>
      this.#isDone('cover', () => person.putCover(id, bytes)),
    );
  }

  async #makeToken(person: UserClient, writer: number, turn: number): Promise<void> {
    const label = `${this.#run} ${writer} ${turn}`;
    this.#tokens.set(label, false);
    const json = { label };
    const isDone = await this.#isDone('token', () =>
      person.request('/api/auth/tokens', { method: 'POST', json }),
    );
    this.#tokens.set(label, isDone);
  }

  async #isDone(what: string, send: () => Promise<ApiResponse>): Promise<boolean> {
    const at = performance.now();
    const response = await send();
    this.#onResponse({ what, response, at });
    return response.status === 200;
  }
}

/** Returns the current value of a thing in the ledger; null if the thing does not exist. */
async function readValue(person: UserClient, thing: string): Promise<string | null> {
  const [kind, name = ''] = thing.split(' ');
  if (kind === 'release') {
    return ((await person.request(`/api/releases/${name}`)).json as { description: string })
      .description;
  }
  const path = kind === 'cover' ? `/api/cover/${name}` : `/api/store/download/games/${name}`;
  const bytes = await person.bytes(path);
  return bytes && sha256(bytes);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
