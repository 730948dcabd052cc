import { type Expression, type RawBuilder, sql } from 'kysely';
import { defaultOrder, type ListOrder } from '../../core/releases/list-orders.ts';
import type { ListedRelease, RecordFilter } from '../../core/releases/ports.ts';
import type { ReleaseLayout } from '../../core/releases/release-layout.ts';
import { compileQuery, type ParamOf, type RunCompiled } from '../engine/compiled-query.ts';
import type { Database, Engine } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';
import { firstReleasesOf } from './list-prefix.ts';
import {
  byTexts,
  byTextsOfFirst,
  indexOf,
  inListOrder,
  isAfter,
  type Position,
  type PositionValues,
  plainTexts,
  positionTexts,
  positionValues,
  textStarts,
} from './list-sort.ts';
import { isOfRevision, PageBookmarks } from './page-bookmarks.ts';
import { type Condition, searchOf } from './release-conditions.ts';
import {
  combineByIndex,
  type ExactValues,
  exactPart,
  exactValues,
  exhaustiveConditions,
  filteredBy,
  filteredExactly,
  joinedWith,
  maxIndexShare,
  rowConditionsOf,
  type SearchesByIndex,
  searchesOf,
} from './release-filter.ts';
import { type Form, rowForm, textForm } from './release-forms.ts';
import { hasFewHits, type TextSearch } from './release-text-conditions.ts';
import type { Trigrams } from './trigram-sample.ts';

/** Minimum offset at which cached places of the list are used. */
const farOffset = 1_000;
/** Maximum end (offset plus limit) of a page that is read with `pageAmong`. */
const maxPageEnd = 2_048;
/** Maximum number of index hits that are cheap to sort. */
const fewHits = 5_000;
/**
 * Number of hits above which checking the texts of all hits takes longer than sorting the hits
 * first.
 */
const manyHits = 10_000;
/**
 * Maximum ratio of index hits to matches. Up to this ratio, twice the expected number of hits
 * usually contains enough matches.
 */
const maxHitsPerMatch = 2;
/**
 * Numbers of releases that are cheap to check: by their names, by their search texts, or without an
 * index.
 */
const firstReleases = { name: 30_000, text: 8_000, withoutIndex: 40_000 };

/**
 * A page of the list: up to `limit` releases from `offset` on. If `after` is passed, the offset
 * counts from the release that follows `after`.
 */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly order?: ListOrder;
  readonly after?: Position;
}

/**
 * A page as text, in which commas separate the releases. `last` is the last release of the page.
 */
export interface TextPage {
  readonly text: string;
  readonly releases: number;
  readonly last: Position | null;
}

type Which = 'listed' | 'all';
/**
 * All values that a list query uses as parameters. Without a position, the offset counts from the
 * first release. If `revision` is set, the query returns nothing unless the catalogue has this
 * revision.
 */
interface Values extends ExactValues, PositionValues {
  readonly limit: number;
  readonly offset: number;
  readonly revision?: number;
}

/** Reads the list of releases in pages. */
export class ReleasePages {
  readonly #db: Database;
  readonly #longRead: Database;
  /**
   * Compiled queries. The key contains everything that the SQL of a query depends on, such as the
   * names of the query's values.
   */
  readonly #compiled = new Map<string, RunCompiled<Values, { isImporting: unknown }>>();
  readonly #trigrams: Trigrams;
  readonly #bookmarks: PageBookmarks;

  constructor(
    engine: Pick<Engine, 'read' | 'longRead'>,
    trigrams: Trigrams,
    bookmarks = new PageBookmarks(engine),
  ) {
    this.#trigrams = trigrams;
    this.#db = engine.read;
    this.#longRead = engine.longRead;
    this.#bookmarks = bookmarks;
  }

  /** Reads a page of the list. If `only` is passed, the list has only releases that meet it. */
  async read(filter: RecordFilter, page: Page, only?: Condition): Promise<ListedRelease[]> {
    const rows = await this.#readAs(rowForm, filter, page, only);
    return rows.map(({ id, system, name, region, serial, platform }) => {
      return { id, system, name, region, serial, platform: platform ?? '' };
    });
  }

  /** Reads a page of the list by name as text. */
  async readAsText(
    filter: RecordFilter,
    page: Omit<Page, 'order'>,
    layout: ReleaseLayout,
  ): Promise<TextPage> {
    const [row] = await this.#readAs(textForm(layout), filter, page);
    if (row === undefined || row.name === null) return { text: '', releases: 0, last: null };
    const { text, releases, name, ids } = row;
    const id = Number(ids?.slice(ids.lastIndexOf(',') + 1));
    return { text: text ?? '', releases, last: { name, id } };
  }

  async #readAs<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    filter: RecordFilter,
    page: Page,
    only?: Condition,
  ): Promise<Row[]> {
    // The first read does not check whether each release is hidden, which is faster far into a long
    // list. Hidden releases exist only during an import; the page is then read again with the
    // check.
    const rows = await this.#rows(form, filter, { ...page, only }, 'all');
    return rows[0]?.isImporting ? this.#rows(form, filter, { ...page, only }, 'listed') : rows;
  }

  async #rows<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    filter: RecordFilter,
    page: Page & { readonly only: Condition | undefined },
    which: Which,
  ): Promise<Row[]> {
    const { limit, offset, order = defaultOrder, after, only } = page;
    const values: Values = {
      ...(await this.#exactValues(filter, order)),
      limit,
      offset,
      ...(after && positionValues(order, after)),
    };
    const searches = [
      ...(await searchesOf(this.#longRead, filter, this.#trigrams)),
      ...(only ? [searchOf(only)] : []),
    ];
    if (searches.length > 0) return this.#searched(form, searches, filter, values, which, order);
    const found = offset < farOffset ? [] : await this.#rowsFromBookmark(form, values, order);
    return form.count(found) > 0 ? found : this.#runCompiled(form, values, which, order);
  }

  /**
   * Reads a page of search results. If there are few index hits, sorts them, unless checking
   * releases in list order is faster. If there are many hits, first checks only the first releases
   * of the list. If most hits match, checks the first hits instead. The checked releases usually
   * contain enough matches. Otherwise sorts all matches or checks all releases.
   */
  async #searched<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    searches: readonly TextSearch[],
    { search, set }: RecordFilter,
    values: Values,
    which: Which,
    order: ListOrder,
  ): Promise<Row[]> {
    const db = this.#longRead;
    const rows = (found: Found, texts = byTexts(db, order), hasAllColumns = true) => {
      const param: ParamOf<Values> = (name) => sql`${values[name]}`;
      const releases = pageOf(db, { found, values, order, param }, texts);
      return db
        .executeQuery(form.query(db, { releases, order, hasAllColumns }))
        .then(({ rows }) => rows);
    };
    const filtered = (conditions: readonly Condition[]) =>
      filteredBy(db, which, values, conditions);
    const sorted = ({ conditions, joined }: SearchesByIndex) => {
      const found = joined
        ? filteredBy(db, which, values, joined.conditions, joinedWith(db, which, joined.ids))
        : filtered(conditions);
      const texts = positionTexts(order).map((text) => `release.${text}` as const);
      const hits = db.dialect.materialized(found.select(['release.id', ...texts]));
      if (hits === null) return rows(found);
      const releases = sql<Tables['listed_release']>`(${hits})`.as('release');
      // No index returns these rows in order.
      return rows(db.selectFrom(releases), plainTexts(order), false);
    };
    const { checksPerHit } = db.dialect;
    const index = combineByIndex(searches);
    const { all } = await this.#trigrams.shares();
    const hits = index === null ? all : index.share * all;
    if (index && checksPerHit === null && hits <= fewHits) return sorted(index);
    const { system, limit, offset } = values;
    const hasFilters =
      Object.keys(values).length > (system === undefined ? 2 : 3) ||
      searches.some(({ readsColumns }) => readsColumns);
    const scanKind =
      search === '' && set === undefined && indexOf[order] === 'names' ? 'name' : 'text';
    // Without an index, the next step would check all releases. It is therefore worth checking more
    // of the first releases before that.
    const cheap = firstReleases[index === null ? 'withoutIndex' : scanKind];
    const maxChecks = Math.min(cheap, Math.ceil(hits * (checksPerHit ?? cheap)));
    // The number of releases to check until enough match. The number is doubled, because names of
    // one series are next to each other and matches are therefore uneven. If too few of the first
    // releases match, the check has cost as much as the index search that follows.
    const expected = index === null ? 0 : (2 * (offset + limit)) / index.found;
    const amongFirst = async (
      maxReleases: number,
      conditions: readonly Condition[],
      among?: Expression<unknown>,
    ) => {
      const first = firstReleasesOf(db, {
        which,
        system,
        order,
        maxReleases,
        ...(among && { among }),
      });
      const found = filteredBy(db, which, values, conditions, first);
      const page = await rows(found, byTextsOfFirst(db, order), false);
      return form.count(page) === limit ? page : null;
    };
    if (!hasFilters && offset + limit <= maxChecks && expected <= maxChecks) {
      const page = await amongFirst(maxChecks, rowConditionsOf(searches));
      if (page !== null) return page;
    }
    if (index === null)
      return rows(
        filtered(hasFilters ? rowConditionsOf(searches) : exhaustiveConditions(searches)),
      );
    const { uncheckedHits } = index;
    const likely = 2 * maxHitsPerMatch * (offset + limit);
    const areMany = hits > manyHits && likely < hits / 2;
    if (uncheckedHits && !hasFilters && areMany && index.found * maxHitsPerMatch >= index.share) {
      const { ids, conditions } = uncheckedHits;
      const page = await amongFirst(likely, conditions, joinedWith(db, which, ids));
      if (page !== null) return page;
    }
    const isScanned = checksPerHit === null && index.share > maxIndexShare;
    return isScanned ? rows(filtered(exhaustiveConditions(searches))) : sorted(index);
  }

  /**
   * Returns the exact values of a filter. The index on the system returns releases by name. For
   * another order, that index is used only if the system has few enough releases to sort.
   */
  async #exactValues(filter: RecordFilter, order: ListOrder): Promise<ExactValues> {
    const { system, ...others } = exactValues(filter);
    if (system === undefined) return others;
    const ofSystem = this.#db.selectFrom('release').select('id').where('system', '=', system);
    if (indexOf[order] === 'names' || (await hasFewHits(this.#db, ofSystem))) {
      return { system, ...others };
    }
    return { walkedSystem: system, ...others };
  }

  /**
   * Reads the page from the nearest cached place. Returns no rows if no place is cached or the
   * catalogue has changed.
   */
  async #rowsFromBookmark<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    values: Values,
    order: ListOrder,
  ): Promise<Row[]> {
    const { limit, offset, id } = values;
    if (id !== undefined) return [];
    const exact = exactPart(values);
    const list = { values: exact, order };
    const bookmark = this.#bookmarks.find(list, offset);
    const rows =
      bookmark === undefined
        ? []
        : await this.#runCompiled(
            form,
            {
              ...exact,
              limit,
              offset: offset - bookmark.offset,
              ...positionValues(order, bookmark.after),
              revision: bookmark.revision,
            },
            'listed',
            order,
          );
    if (form.count(rows) === 0) this.#bookmarks.renew(list);
    return rows;
  }

  #runCompiled<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    values: Values,
    which: Which,
    order: ListOrder,
  ): Promise<Row[]> {
    const maxReleases = maxReleasesOf(this.#db, values);
    const key = [form.key, which, order, maxReleases, ...Object.keys(values)].join();
    let run = this.#compiled.get(key) as RunCompiled<Values, Row> | undefined;
    if (!run) {
      run = compileQuery<Values, Row>((param) => {
        const db = this.#db;
        const page = { found: filteredExactly(db, which, values, param), values, order, param };
        const releases =
          maxReleases === null
            ? pageOf(db, page, byTexts(db, order))
            : pageAmong(db, maxReleases, page);
        return form.query(db, { releases, order, hasAllColumns: true });
      });
      this.#compiled.set(key, run);
    }
    // A region or a `walkedSystem` requires reading many releases. For all other values, an index
    // answers the query.
    const readsManyReleases = values.region !== undefined || values.walkedSystem !== undefined;
    return run(readsManyReleases ? this.#longRead : this.#db, values);
  }
}

type Found = ReturnType<typeof filteredExactly>;

/** A page to read, in list order, from the releases of the query `found`. */
interface PageQuery {
  readonly found: Found;
  readonly values: Values;
  readonly order: ListOrder;
  readonly param: ParamOf<Values>;
}

/** Returns the query for a page. `texts` are the expressions to sort by; see `inListOrder`. */
function pageOf(db: Database, page: PageQuery, texts: readonly RawBuilder<unknown>[]) {
  const { order, param } = page;
  return inListOrder(afterPosition(db, page), order, texts)
    .limit(param('limit'))
    .offset(param('offset'));
}

/**
 * Like `pageOf`, but reads the page from the first `maxReleases` releases after the place in
 * `values`. `maxReleases` is a literal in the SQL, so that the planner knows how little of the list
 * is read.
 */
function pageAmong(db: Database, maxReleases: number, page: PageQuery) {
  const { order, param } = page;
  const first = inListOrder(afterPosition(db, page), order, byTexts(db, order))
    .selectAll('release')
    .select(textStarts(db, order))
    .limit(sql.lit(maxReleases));
  const found = db.selectFrom(sql<Tables['listed_release']>`(${first})`.as('release'));
  return inListOrder(found, order, byTextsOfFirst(db, order))
    .limit(param('limit'))
    .offset(param('offset'));
}

/**
 * If `values` contains a place, limits the query to releases after the place, and to the revision
 * of the place.
 */
function afterPosition(db: Database, { found, values, order, param }: PageQuery) {
  return found
    .$if(values.id !== undefined, (query) => query.where(isAfter(db, order, param)))
    .$if(values.revision !== undefined, (query) => query.where(isOfRevision(param('revision'))));
}

/**
 * Returns the parameter `maxReleases` for `pageAmong`, or null if such a limit does not help. The
 * limit is a power of two, so that there are few different statements. A filtered list gets no
 * limit. The plan for one filter value would otherwise also be used for the rarest value.
 */
function maxReleasesOf({ dialect }: Database, values: Values): number | null {
  const end = values.offset + values.limit;
  const isFiltered = Object.keys(exactPart(values)).length > 0;
  if (!dialect.plansByLimit || isFiltered || end > maxPageEnd) return null;
  return 2 ** Math.ceil(Math.log2(end));
}
