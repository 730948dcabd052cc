import { withClient, withoutClient } from '../../core/shared/requests/client-context.ts';
import type { PartRevision } from '../../core/shared/requests/part-revision.ts';
import type { Tables } from '../tables.ts';
import type { Database, Engine } from './engine.ts';

type Part = Tables['part_revision']['part'];
type Numbers = ReadonlyMap<Part, number>;

/**
 * Increments the revision of a part, in the transaction that changes the part. Call this function
 * only for parts whose revision no trigger maintains.
 */
export async function incrementPartRevision(trx: Database, part: Part): Promise<void> {
  await trx
    .updateTable('part_revision')
    .set((row) => ({ number: row('number', '+', 1) }))
    .where('part', '=', part)
    .execute();
}

/**
 * The client for reads that serve the requests of several clients. These reads have a queue of
 * their own and the time limits of a client.
 */
const sharedClient = { network: 'revisions', signal: new AbortController().signal };

/**
 * Caches the revisions of all parts. The revisions are read again only after a commit. If the
 * engine cannot report commits, each request needs a read that begins after the request arrives.
 * All waiting requests share one read.
 */
export class PartRevisions {
  readonly #engine: Pick<Engine, 'commits' | 'read'>;
  #cached: { readonly commits: number; readonly numbers: Numbers } | undefined;
  #reading: { readonly commits: number; readonly numbers: Promise<Numbers> } | undefined;
  /**
   * The read that is running. Because it began before new requests arrived, it cannot serve the new
   * requests. If this read fails, the requests that wait for its end fail too.
   */
  #underWay: Promise<unknown> = Promise.resolve();
  /** The read that begins after the running one. It serves all requests that are waiting now. */
  #next: Promise<Numbers> | undefined;

  constructor(engine: Pick<Engine, 'commits' | 'read'>) {
    this.#engine = engine;
  }

  of(part: Part): PartRevision {
    return {
      requiresQuery: this.#engine.commits() === null,
      known: () => {
        const commits = this.#engine.commits();
        return commits === this.#cached?.commits ? this.#cached?.numbers.get(part) : undefined;
      },
      current: async () => {
        const number = (await this.#current()).get(part);
        if (number === undefined) throw new Error(`part_revision has no row ${part}`);
        return number;
      },
    };
  }

  async #current(): Promise<Numbers> {
    // Reads the number of commits before the rows. If a commit happens between the two reads, the
    // next call reads the rows again.
    const commits = this.#engine.commits();
    if (commits === null) return this.#readTogether();
    if (this.#cached?.commits === commits) return this.#cached.numbers;
    if (this.#reading?.commits !== commits) {
      this.#reading = { commits, numbers: withoutClient(() => this.#readAt(commits)) };
    }
    return this.#reading.numbers;
  }

  #readTogether(): Promise<Numbers> {
    this.#next ??= withClient(sharedClient, () => this.#readAfter(this.#underWay));
    return this.#next;
  }

  async #readAfter(underWay: Promise<unknown>): Promise<Numbers> {
    try {
      await underWay;
    } finally {
      this.#next = undefined;
    }
    const reading = this.#read();
    this.#underWay = reading;
    // New requests must not wait for a read that failed.
    reading.catch(() => {
      if (this.#underWay === reading) this.#underWay = Promise.resolve();
    });
    return reading;
  }

  async #readAt(commits: number): Promise<Numbers> {
    try {
      const numbers = await this.#read();
      if (this.#reading?.commits === commits) this.#cached = { commits, numbers };
      return numbers;
    } finally {
      if (this.#reading?.commits === commits) this.#reading = undefined;
    }
  }

  async #read(): Promise<Numbers> {
    const rows = await this.#engine.read.selectFrom('part_revision').selectAll().execute();
    return new Map(rows.map(({ part, number }) => [part, number]));
  }
}
