import { askedBy, askedByNobody } from '../core/shared/asker.ts';
import type { PartRevision } from '../core/shared/part-revision.ts';
import type { Database, Engine } from './engine.ts';
import type { Tables } from './tables.ts';

type Part = Tables['part_revision']['part'];
type Numbers = ReadonlyMap<Part, number>;

/**
 * Changes the revision of a part that no trigger maintains, in the transaction that changes the
 * part.
 */
export async function movePart(trx: Database, part: Part): Promise<void> {
  await trx
    .updateTable('part_revision')
    .set((row) => ({ number: row('number', '+', 1) }))
    .where('part', '=', part)
    .execute();
}

/**
 * The client for reads that requests of all clients share: they queue separately, with a client's
 * time limits.
 */
const everybody = { network: 'revisions', signal: new AbortController().signal };

/**
 * Caches the revisions of all parts and reads them again only after a commit. If the engine cannot
 * report commits, one read serves all requests that arrived before it began.
 */
export class PartRevisions {
  readonly #engine: Pick<Engine, 'commits' | 'read'>;
  #known: { readonly commits: number; readonly numbers: Numbers } | undefined;
  #reading: { readonly commits: number; readonly numbers: Promise<Numbers> } | undefined;
  /**
   * The read in progress, which began too early for new requests. If it fails, the requests waiting
   * for it fail too.
   */
  #underWay: Promise<unknown> = Promise.resolve();
  /** The read after it. */
  #next: Promise<Numbers> | undefined;

  constructor(engine: Pick<Engine, 'commits' | 'read'>) {
    this.#engine = engine;
  }

  of(part: Part): PartRevision {
    return {
      isAsked: this.#engine.commits() === null,
      known: () => {
        const commits = this.#engine.commits();
        return commits === this.#known?.commits ? this.#known?.numbers.get(part) : undefined;
      },
      current: async () => {
        const number = (await this.#current()).get(part);
        if (number === undefined) throw new Error(`part_revision has no row ${part}`);
        return number;
      },
    };
  }

  async #current(): Promise<Numbers> {
    // Read before the rows, so that a commit in between causes another read the next time.
    const commits = this.#engine.commits();
    if (commits === null) return this.#readTogether();
    if (this.#known?.commits === commits) return this.#known.numbers;
    if (this.#reading?.commits !== commits) {
      this.#reading = { commits, numbers: askedByNobody(() => this.#readAt(commits)) };
    }
    return this.#reading.numbers;
  }

  #readTogether(): Promise<Numbers> {
    this.#next ??= askedBy(everybody, () => this.#readAfter(this.#underWay));
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
    // Requests that arrive after a failure start anew.
    reading.catch(() => {
      if (this.#underWay === reading) this.#underWay = Promise.resolve();
    });
    return reading;
  }

  async #readAt(commits: number): Promise<Numbers> {
    try {
      const numbers = await this.#read();
      if (this.#reading?.commits === commits) this.#known = { commits, numbers };
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
