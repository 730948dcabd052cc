import { type SqlBool, sql } from 'kysely';
import { askedByNobody, askedTogether } from '../core/shared/asker.ts';
import type { Database } from './engine.ts';

const samples = 1_000;
/** Characters of a sample that are compared with what is asked for. */
const mostOfSample = 500;
/** Searches for which one sample is good: it only says what is cheaper, and catalogues change slowly. */
const searchesPerSample = 3_000;

/** Guesses by which part of a text it is found soonest. They decide what a search costs, never what it finds. */
export interface TrigramShares {
  /** Releases. */
  readonly all: number;
  /** Of all releases, those that hold these three characters in what they are searched by, about: 0 to 1. */
  of(trigram: string): number;
  /** The same of those that hold each of these parts of a text. */
  holding(parts: readonly string[]): number;
  /** The same of those that hold the first of these parts, the first two, the first three and so on. */
  holdingFirst(parts: readonly string[]): number[];
}

export interface Trigrams {
  shares(): Promise<TrigramShares>;
}

/** How common each three characters in a row are, from a sample of the texts of releases. */
export class CommonTrigrams implements Trigrams {
  readonly #db: Database;
  #known: TrigramShares | undefined;
  #reading: Promise<TrigramShares> | undefined;
  #searches = 0;

  /** `db`: for what looks at many rows. */
  constructor(db: Database) {
    this.#db = db;
  }

  async shares(): Promise<TrigramShares> {
    if (this.#known === undefined) {
      this.#reading ??= askedTogether(() => this.#read());
      return this.#reading;
    }
    this.#searches += 1;
    // Nobody waits for it; what is known is good enough where it fails.
    const isOld = this.#searches % searchesPerSample === 0;
    if (isOld) askedByNobody(() => this.#read()).catch(() => undefined);
    return this.#known;
  }

  async #read(): Promise<TrigramShares> {
    try {
      this.#known = await readShares(this.#db);
      return this.#known;
    } finally {
      this.#reading = undefined;
    }
  }
}

async function readShares(db: Database): Promise<TrigramShares> {
  const { last } = await db
    .selectFrom('release')
    .select((is) => is.fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  const all = last ?? 0;
  const ids = Array.from({ length: Math.min(samples, all) }, (_, i) =>
    Math.floor(all - (i * all) / samples),
  );
  const rows = await db
    .selectFrom('release_text')
    .select('text')
    .where(sql<SqlBool>`release_id IN ${db.dialect.list([...new Set(ids)], 'integer')}`)
    .execute();
  const counts = new Map<string, number>();
  for (const { text } of rows) {
    for (const trigram of new Set(trigramsOf(text))) {
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
    }
  }
  for (const [trigram, count] of counts) if (count === 1) counts.delete(trigram); // most of them
  const read = rows.length || 1;
  const texts = rows.map(({ text }) => text.slice(0, mostOfSample));
  const holdingFirst = (parts: readonly string[]) => {
    let left = texts;
    return parts.map((part) => {
      const wanted = part.toLowerCase();
      left = left.filter((text) => text.includes(wanted));
      return left.length / read;
    });
  };
  return {
    all,
    of: (trigram) => (counts.get(trigram.toLowerCase()) ?? 0) / read,
    holdingFirst,
    holding: (parts) => holdingFirst(parts).at(-1) ?? 1,
  };
}

/** Every three characters in a row. */
export function trigramsOf(text: string): string[] {
  const characters = [...text];
  return characters.slice(2).map((last, i) => `${characters[i]}${characters[i + 1]}${last}`);
}
