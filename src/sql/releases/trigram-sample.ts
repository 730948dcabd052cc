import { type SqlBool, sql } from 'kysely';
import { withClientNetwork, withoutClient } from '../../core/shared/requests/client-context.ts';
import type { Database } from '../engine/engine.ts';

const samples = 1_000;
/** Maximum number of characters that are searched in each sampled text. */
const maxSampleLength = 500;
/**
 * Number of searches after which a new sample is read. An old sample is good enough, because
 * catalogues change slowly. The sample affects only the cost of searches.
 */
const searchesPerSample = 3_000;

/**
 * Estimates of how many releases contain a part of a text. The estimates help to choose the
 * cheapest search and never affect search results.
 */
export interface TrigramShares {
  /** Estimated total number of releases, which is the highest release id. */
  readonly all: number;
  /** Returns the estimated share (0 to 1) of releases whose search text contains this trigram. */
  of(trigram: string): number;
  /**
   * Returns the estimated share (0 to 1) of releases whose search text contains all of these parts.
   */
  containingAll(parts: readonly string[]): number;
  /**
   * Returns one estimated share for each prefix of `parts`: for the first part alone, for the first
   * two parts together, and so on.
   */
  containingPrefixes(parts: readonly string[]): number[];
}

export interface Trigrams {
  shares(): Promise<TrigramShares>;
}

/** Estimates how common each trigram is, from the search texts of a sample of releases. */
export class CommonTrigrams implements Trigrams {
  readonly #db: Database;
  #cached: TrigramShares | undefined;
  #reading: Promise<TrigramShares> | undefined;
  #searches = 0;

  /** `db` must be the handle for queries that read many rows. */
  constructor(db: Database) {
    this.#db = db;
  }

  async shares(): Promise<TrigramShares> {
    if (this.#cached === undefined) {
      this.#reading ??= withClientNetwork(() => this.#read());
      return this.#reading;
    }
    this.#searches += 1;
    // Reads a new sample in the background. If the read fails, the old estimates are good enough.
    const isOld = this.#searches % searchesPerSample === 0;
    if (isOld) withoutClient(() => this.#read()).catch(() => undefined);
    return this.#cached;
  }

  async #read(): Promise<TrigramShares> {
    try {
      this.#cached = await readShares(this.#db);
      return this.#cached;
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
  // Most trigrams occur in only one sampled text. They are not stored.
  for (const [trigram, count] of counts) if (count === 1) counts.delete(trigram);
  const read = rows.length || 1;
  const texts = rows.map(({ text }) => text.slice(0, maxSampleLength));
  const containingPrefixes = (parts: readonly string[]) => {
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
    containingPrefixes,
    containingAll: (parts) => containingPrefixes(parts).at(-1) ?? 1,
  };
}

/** Returns all trigrams of a text, which are all sequences of three consecutive characters. */
export function trigramsOf(text: string): string[] {
  const characters = [...text];
  return characters.slice(2).map((last, i) => `${characters[i]}${characters[i + 1]}${last}`);
}
