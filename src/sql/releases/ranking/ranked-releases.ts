import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ListedRelease, RecordFilter, ReleaseQuery } from '../../../core/releases/ports.ts';
import { searchWords } from '../../../core/shared/search-text.ts';
import type { Database, Engine } from '../../engine/engine.ts';
import { byTexts, inListOrder } from '../list-sort.ts';
import type { Condition } from '../release-conditions.ts';
import {
  combineByIndex,
  type ExactValues,
  exactValues,
  filteredBy,
  joinedWith,
  maxIndexShare,
  rowConditionsOf,
  searchesOf,
} from '../release-filter.ts';
import type { ReleasePages } from '../release-pages.ts';
import type { TextSearch } from '../release-text-conditions.ts';
import { type Trigrams, trigramsOf } from '../trigram-sample.ts';
import {
  isCheatDisc,
  type RankedTitle,
  rankedTitle,
  tierOf,
  titleConditions,
  titleOf,
} from './ranked-title.ts';

/** Default maximum number of matches that are sorted by relevance. */
const defaultMaxRanked = 5_000;
/**
 * Minimum share of the sampled releases that match, and minimum multiple of `maxRanked` that this
 * share stands for. If both are reached, the sample shows reliably that more than `maxRanked`
 * releases match.
 */
const minSampledShare = 0.015;
const manyTimes = 3;
/** Maximum number of releases, estimated from a sample, that are checked to find the matches. */
const maxCandidates = 50_000;

type Page = Pick<ReleaseQuery, 'limit' | 'offset' | 'ownedFirst'>;

/** The ids of a page in order, and the number of releases that were ranked. */
interface RankedPage {
  readonly ids: readonly number[];
  readonly ranked: number;
}

/** A search, prepared for the queries. */
interface Search {
  readonly title: RankedTitle;
  readonly searches: readonly TextSearch[];
  /** The values that the filter requires, for queries whose order does not matter. */
  readonly exact: ExactValues;
  /** The same values, for queries in the order of an index. */
  readonly values: ExactValues;
  readonly filter: RecordFilter;
}

/**
 * Reads the list of releases with the best matches of the search words first. If there are up to
 * `maxRanked` matches, all of them are ranked. Otherwise the names that begin with the words are
 * ranked, up to `maxRanked`; all other matches follow by name.
 */
export class RankedReleases {
  readonly #db: Database;
  readonly #trigrams: Trigrams;
  readonly #pages: ReleasePages;
  readonly #listByIds: (ids: readonly number[]) => Promise<ListedRelease[]>;
  readonly #maxRanked: number;

  constructor(parts: {
    engine: Pick<Engine, 'longRead'>;
    trigrams: Trigrams;
    pages: ReleasePages;
    listByIds: (ids: readonly number[]) => Promise<ListedRelease[]>;
    maxRanked?: number | undefined;
  }) {
    this.#db = parts.engine.longRead;
    this.#trigrams = parts.trigrams;
    this.#pages = parts.pages;
    this.#listByIds = parts.listByIds;
    this.#maxRanked = parts.maxRanked ?? defaultMaxRanked;
  }

  /** Returns a page of the matches. Without words to search for, the list is sorted by name. */
  async read(filter: RecordFilter, page: Page): Promise<ListedRelease[]> {
    const { limit, offset } = page;
    if (searchWords(filter.search).length === 0) return this.#pages.read(filter, page);
    const exact = exactValues(filter);
    const { system, ...values } = exact;
    const search: Search = {
      title: rankedTitle(filter.search),
      searches: await searchesOf(this.#db, filter, this.#trigrams),
      exact,
      // The index on the system would return the releases in another order.
      values: { ...values, ...(system !== undefined && { walkedSystem: system }) },
      filter,
    };
    // With other filters, few of the names that begin with the words may match.
    const isFiltered = Object.keys(search.values).length > 0 || search.searches.length > 1;
    const first = isFiltered ? null : await this.#firstTiers(search, page);
    if (first !== null && offset + limit <= first.ranked) return this.#inOrder(first.ids);
    const areRanked =
      first === null || (first.ranked < this.#maxRanked && !(await this.#areMany(filter.search)));
    if (areRanked) {
      const all = await this.#allTiers(search, page);
      if (all.ranked <= this.#maxRanked) return this.#inOrder(all.ids);
    }
    const { ids, ranked } = first ?? (await this.#firstTiers(search, page));
    const isOther = sql<SqlBool>`release.id NOT IN (
      SELECT id FROM (${this.#inFirstTiers(search)}) AS ranked)`;
    const others = this.#pages.read(
      filter,
      { limit: limit - ids.length, offset: Math.max(0, offset - ranked) },
      ranked === 0 ? undefined : isOther,
    );
    return [...(await this.#inOrder(ids)), ...(await others)];
  }

  /**
   * Returns true if a sample shows that far more than `maxRanked` releases match, or that too many
   * would have to be checked. Counting the matches would take longer than the rest of the search.
   * The result does not depend on the engine.
   */
  async #areMany(search: string): Promise<boolean> {
    const { all, of, containingAll } = await this.#trigrams.shares();
    const words = searchWords(search).map(([word = '']) => word);
    const candidates = words.map((word) => {
      const trigrams = trigramsOf(word);
      return trigrams.length > 0 ? Math.min(...trigrams.map(of)) : containingAll([word]);
    });
    if (Math.min(...candidates) * all > maxCandidates) return true;
    const share = containingAll(words);
    return share >= minSampledShare && share * all >= manyTimes * this.#maxRanked;
  }

  /** Ranks the matches whose titles begin with the words. */
  #firstTiers(search: Search, page: Page): Promise<RankedPage> {
    const hits = this.#inFirstTiers(search);
    return this.#ranked(
      {
        hits: sql`(${hits})`,
        head: sql`head AS (SELECT id, sort_name, ${titleOf(this.#db)} AS title, tier FROM hit)`,
      },
      page,
    );
  }

  /**
   * Ranks all matches. If there are more than `maxRanked`, the returned number of ranked releases
   * is higher than `maxRanked`, and the ids are meaningless.
   */
  async #allTiers({ title, searches, exact, values }: Search, page: Page): Promise<RankedPage> {
    const db = this.#db;
    const index = combineByIndex(searches);
    const isScanned = index === null || index.share > maxIndexShare;
    const found = isScanned
      ? // The index on the system finds the few releases of a small system at once.
        filteredBy(db, 'listed', exact, rowConditionsOf(searches))
      : index.joined
        ? filteredBy(
            db,
            'listed',
            values,
            index.joined.conditions,
            joinedWith(db, 'listed', index.joined.ids),
          )
        : filteredBy(db, 'listed', values, index.conditions);
    const hits = found.select('release.id').limit(sql.lit(this.#maxRanked + 1));
    // Too many hits are only counted. MATERIALIZED makes the engine calculate each name only once.
    const head = sql`
      named AS MATERIALIZED (SELECT release.id, release.sort_name FROM hit
        ${db.dialect.joinInOrder} release ON release.id = hit.id
        WHERE (SELECT count(*) FROM hit) <= ${sql.lit(this.#maxRanked)}),
      titled AS MATERIALIZED (SELECT id, sort_name, ${titleOf(db)} AS title FROM named),
      head AS (SELECT id, sort_name, title, ${tierOf(db, title)} AS tier FROM titled)`;
    return this.#ranked({ hits, head }, page);
  }

  /**
   * Returns the query for the first `maxRanked` releases whose titles begin with the words, in the
   * order of tiers and names.
   */
  #inFirstTiers({ title, searches, values }: Search): RawBuilder<unknown> {
    const db = this.#db;
    const isTextOnly = searches.length === 1 && title.impliesMatch;
    const conditions: Condition[] = isTextOnly ? [] : rowConditionsOf(searches);
    const parts = titleConditions(db, title).map(({ tier, condition }) => {
      const found = filteredBy(db, 'listed', values, [condition, ...conditions]);
      const columns = found.select(['release.id', 'release.sort_name', sql.lit(tier).as('tier')]);
      const first = inListOrder(columns, 'title', byTexts(db, 'title')).limit(
        sql.lit(this.#maxRanked),
      );
      return sql`SELECT id, sort_name, tier FROM (${first}) AS part`;
    });
    if (parts.length === 0) return sql`SELECT id, sort_name, 1 AS tier FROM release WHERE false`;
    const all = sql.join(parts, sql` UNION ALL `);
    return sql`SELECT id, sort_name, tier FROM (${all}) AS parts
      ORDER BY tier, sort_name, id LIMIT ${sql.lit(this.#maxRanked)}`;
  }

  /**
   * Returns a page of ranked releases, and the number of `hits`. `head` is a part of a WITH clause.
   * It makes the table `head` from the table `hit`. The columns of `head` are `id`, `sort_name`,
   * `title` and `tier`.
   */
  async #ranked(
    { hits, head }: { hits: Expression<unknown>; head: Expression<unknown> },
    page: Page,
  ): Promise<RankedPage> {
    const db = this.#db;
    const { limit, offset, ownedFirst = false } = page;
    const isMissing = ownedFirst
      ? sql`NOT EXISTS (SELECT 1 FROM library_file WHERE library_file.release_id = head.id)`
      : sql`false`;
    const order = sql`tier, is_cheat, is_missing, title_length, sort_name, id`;
    const { rows } = await sql<{ ranked: number; id: number | null }>`
      WITH hit AS MATERIALIZED ${hits}, ${head}
      SELECT counted.ranked, page.id FROM (SELECT count(*) AS ranked FROM hit) AS counted
      LEFT JOIN (
        SELECT id, tier, sort_name, ${isCheatDisc(db)} AS is_cheat,
          ${isMissing} AS is_missing, length(title) AS title_length
        FROM head ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}
      ) AS page ON true
      ORDER BY ${order}`.execute(db);
    return {
      ids: rows.flatMap(({ id }) => id ?? []),
      ranked: rows[0]?.ranked ?? 0,
    };
  }

  async #inOrder(ids: readonly number[]): Promise<ListedRelease[]> {
    if (ids.length === 0) return [];
    const found = new Map((await this.#listByIds(ids)).map((release) => [release.id, release]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
