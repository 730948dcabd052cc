import { askedBy, askedByNobody } from '../core/shared/asker.ts';
import type { PartRevision } from '../core/shared/part-revision.ts';
import type { Database, Engine } from './engine.ts';
import type { Tables } from './tables.ts';

type Part = Tables['part_revision']['part'];
type Numbers = ReadonlyMap<Part, number>;

/** Moves the revision of a part that no trigger moves, with what changed it. */
export async function movePart(trx: Database, part: Part): Promise<void> {
  await trx
    .updateTable('part_revision')
    .set((row) => ({ number: row('number', '+', 1) }))
    .where('part', '=', part)
    .execute();
}

/** Reads that requests of all clients wait for have their turns as a client of their own, and its patience. */
const everybody = { network: 'revisions', signal: new AbortController().signal };

/**
 * The revisions of all parts, read again only when somebody has committed; where the engine cannot tell that, read once for
 * all requests that came before the read began.
 */
export class PartRevisions {
  readonly #engine: Pick<Engine, 'commits' | 'read'>;
  #known: { readonly commits: number; readonly numbers: Numbers } | undefined;
  #reading: { readonly commits: number; readonly numbers: Promise<Numbers> } | undefined;
  /** The read that has begun, which is too early for who asks now. When it fails, those who waited for it have waited enough. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** The one after it. */
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
    // Before the rows are read: what is committed in between is looked for again the next time.
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
    // Who comes after it has failed begins anew.
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
