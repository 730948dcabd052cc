import { type Expression, type RawBuilder, sql } from 'kysely';
import type {
  ListedRelease,
  ListOrder,
  ReleaseFilter,
  ReleaseLayout,
} from '../core/releases/ports.ts';
import type { Trigrams } from './common-trigrams.ts';
import { compileQuery, type ParamOf, type RunCompiled } from './compiled-query.ts';
import type { Database, Engine } from './engine.ts';
import { byNameOfFirst, firstReleasesOf, nameStartOf } from './first-releases.ts';
import { byName, isAfter, isOfRevision, ListPlaces } from './list-places.ts';
import {
  byIndex,
  byLooking,
  type Condition,
  type ExactValues,
  exactValues,
  filteredBy,
  filteredExactly,
  joinedWith,
  largestShare,
  type SearchesByIndex,
  searchesOf,
  toFindAll,
} from './release-filter.ts';
import { asRows, asText, directions, type Form } from './release-forms.ts';
import { areFew, type TextSearch } from './release-text-conditions.ts';
import type { Tables } from './tables.ts';

/** From this offset on it pays to know places of the list. */
const farOffset = 1_000;
/** A page that ends before it is read among the first releases of a list, or the first after a place. */
const mostNear = 2_048;
/** So many hits of an index are sorted in some milliseconds. */
const fewHits = 5_000;
/** Of so many, looking at the texts of all takes longer than sorting them first. */
const manyHits = 10_000;
/** Where one of so many that an index gives is found, twice as many as that are likely to be enough. */
const mostPerFound = 2;
/** So many releases are looked at in some milliseconds: at their names, or at their texts for search. */
const firstReleases = { name: 30_000, text: 8_000, withoutIndex: 40_000 };

/** A part of the list: so many, from the offset on, of those that come after `after`. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly order?: ListOrder;
  readonly after?: { readonly name: string; readonly id: number };
}

/** A page as text, with commas between the releases, and its last release. */
export interface WrittenPage {
  readonly text: string;
  readonly releases: number;
  readonly last: { readonly name: string; readonly id: number } | null;
}

type Which = 'listed' | 'all';
/**
 * By name, all that a query of the list compares with; without `name` and `id` it begins at the first release, with
 * `revision` it finds nothing at another one of the catalogue.
 */
interface Values extends ExactValues {
  readonly limit: number;
  readonly offset: number;
  readonly name?: string;
  readonly id?: number;
  readonly revision?: number;
}

/** The list of releases by pages: by name, then id, or the newest first. */
export class ReleasePages {
  readonly #db: Database;
  readonly #atLength: Database;
  /** By what a query depends on: the names of its values. */
  readonly #compiled = new Map<string, RunCompiled<Values, { isImporting: unknown }>>();
  readonly #trigrams: Trigrams;
  readonly #places: ListPlaces;

  constructor(
    engine: Pick<Engine, 'read' | 'readAtLength'>,
    trigrams: Trigrams,
    places = new ListPlaces(engine),
  ) {
    this.#trigrams = trigrams;
    this.#db = engine.read;
    this.#atLength = engine.readAtLength;
    this.#places = places;
  }

  async read(filter: ReleaseFilter, page: Page): Promise<ListedRelease[]> {
    const rows = await this.#readAs(asRows, filter, page);
    return rows.map(({ isImporting: _, ...row }) => ({ ...row, platform: row.platform ?? '' }));
  }

  /** By name, as text. */
  async readWritten(
    filter: ReleaseFilter,
    page: Omit<Page, 'order'>,
    layout: ReleaseLayout,
  ): Promise<WrittenPage> {
    const [row] = await this.#readAs(asText(layout), filter, page);
    if (row === undefined || row.name === null) return { text: '', releases: 0, last: null };
    const { text, releases, name, ids } = row;
    const id = Number(ids?.slice(ids.lastIndexOf(',') + 1));
    return { text: text ?? '', releases, last: { name, id } };
  }

  async #readAs<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    filter: ReleaseFilter,
    page: Page,
  ): Promise<Row[]> {
    // Far into a long list it takes half the time not to look at each row whether it is hidden; that any are is rare.
    const rows = await this.#rows(form, filter, page, 'all');
    return rows[0]?.isImporting ? this.#rows(form, filter, page, 'listed') : rows;
  }

  async #rows<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    filter: ReleaseFilter,
    page: Page,
    which: Which,
  ): Promise<Row[]> {
    const { limit, offset, order = 'name', after } = page;
    const values: Values = {
      ...(await this.#exactValues(filter, order)),
      limit,
      offset,
      ...(after && { name: after.name, id: after.id }),
    };
    const searches = await searchesOf(this.#atLength, filter, this.#trigrams);
    if (searches.length > 0) return this.#searched(form, searches, filter, values, which, order);
    const found = offset < farOffset ? [] : await this.#rowsFromPlace(form, values, order);
    return form.count(found) > 0 ? found : this.#runCompiled(form, values, which, order);
  }

  /**
   * Few hits of an index are sorted, where looking for them in the order of the list takes longer. Of many enough are found
   * soon among the first releases of the list, as a rule, or among the first hits, where most of them are found; where they are
   * not, all that is found is sorted, or all releases are looked at.
   */
  async #searched<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    searches: readonly TextSearch[],
    { search }: ReleaseFilter,
    values: Values,
    which: Which,
    order: ListOrder,
  ): Promise<Row[]> {
    const db = this.#atLength;
    const rows = (found: Found, inOrder: RawBuilder<unknown> = byName(db), isWhole = true) => {
      const param: ParamOf<Values> = (name) => sql`${values[name]}`;
      const releases = pageOf(db, { found, values, order, param }, inOrder);
      return db.executeQuery(form.query(db, { releases, order, isWhole })).then(({ rows }) => rows);
    };
    const filtered = (conditions: readonly Condition[]) =>
      filteredBy(db, which, values, conditions);
    const sorted = ({ conditions, joined }: SearchesByIndex) => {
      const found = joined
        ? filteredBy(db, which, values, joined.conditions, joinedWith(db, which, joined.ids))
        : filtered(conditions);
      const hits = db.dialect.foundFirst(found.select(['release.id', 'release.name']));
      if (hits === null) return rows(found);
      const releases = sql<Tables['listed_release']>`(${hits})`.as('release');
      return rows(db.selectFrom(releases), sql.ref('release.name'), false); // by no index
    };
    const { looksPerHit } = db.dialect;
    const index = byIndex(searches);
    const { all } = await this.#trigrams.shares();
    const hits = index === null ? all : index.share * all;
    if (index && looksPerHit === null && hits <= fewHits) return sorted(index);
    const { system, limit, offset } = values;
    const narrows = Object.keys(values).length > (system === undefined ? 2 : 3);
    const looked = search === '' && order === 'name' ? 'name' : 'text';
    // Without an index the other way is to look at all.
    const cheap = firstReleases[index === null ? 'withoutIndex' : looked];
    const most = Math.min(cheap, Math.ceil(hits * (looksPerHit ?? cheap)));
    // Names of one series stand together; a walk that ends without enough costs as much as the index once more.
    const expected = index === null ? 0 : (2 * (offset + limit)) / index.found;
    const amongFirst = async (
      most: number,
      conditions: readonly Condition[],
      among?: Expression<unknown>,
    ) => {
      const first = firstReleasesOf(db, { which, system, order, most, ...(among && { among }) });
      const found = filteredBy(db, which, values, conditions, first);
      const page = await rows(found, byNameOfFirst(db), false);
      return form.count(page) === limit ? page : null;
    };
    if (!narrows && offset + limit <= most && expected <= most) {
      const page = await amongFirst(most, byLooking(searches));
      if (page !== null) return page;
    }
    if (index === null) return rows(filtered(narrows ? byLooking(searches) : toFindAll(searches)));
    const { unlooked } = index;
    const likely = 2 * mostPerFound * (offset + limit);
    const areMany = hits > manyHits && likely < hits / 2;
    if (unlooked && !narrows && areMany && index.found * mostPerFound >= index.share) {
      const { ids, conditions } = unlooked;
      const page = await amongFirst(likely, conditions, joinedWith(db, which, ids));
      if (page !== null) return page;
    }
    const isScanned = looksPerHit === null && index.share > largestShare;
    return isScanned ? rows(filtered(toFindAll(searches))) : sorted(index);
  }

  /** The index of systems gives releases by name: it helps to the newest only where they are few enough to be sorted. */
  async #exactValues(filter: ReleaseFilter, order: ListOrder): Promise<ExactValues> {
    const { system, ...others } = exactValues(filter);
    if (system === undefined) return others;
    const ofSystem = this.#db.selectFrom('release').select('id').where('system', '=', system);
    if (order === 'name' || (await areFew(this.#db, ofSystem))) return { system, ...others };
    return { walkedSystem: system, ...others };
  }

  /** The same from the nearest place that is known; none where none is known, or the list is another meanwhile. */
  async #rowsFromPlace<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    values: Values,
    order: ListOrder,
  ): Promise<Row[]> {
    const { limit, offset, name, id, ...exact } = values;
    if (id !== undefined) return [];
    const list = { values: exact, order };
    const place = this.#places.find(list, offset);
    const rows =
      place === undefined
        ? []
        : await this.#runCompiled(
            form,
            { ...exact, limit, ...place, offset: offset - place.offset },
            'listed',
            order,
          );
    if (form.count(rows) === 0) this.#places.renew(list);
    return rows;
  }

  #runCompiled<Row extends { isImporting: unknown }>(
    form: Form<Row>,
    values: Values,
    which: Which,
    order: ListOrder,
  ): Promise<Row[]> {
    const most = mostOf(this.#db, values);
    const key = [form.key, which, order, most, ...Object.keys(values)].join();
    let run = this.#compiled.get(key) as RunCompiled<Values, Row> | undefined;
    if (!run) {
      run = compileQuery<Values, Row>((param) => {
        const db = this.#db;
        const page = { found: filteredExactly(db, which, values, param), values, order, param };
        const releases = most === null ? pageOf(db, page, byName(db)) : pageAmong(db, most, page);
        return form.query(db, { releases, order, isWhole: true });
      });
      this.#compiled.set(key, run);
    }
    // An index gives the others.
    const looksAtAll = values.region !== undefined || values.walkedSystem !== undefined;
    return run(looksAtAll ? this.#atLength : this.#db, values);
  }
}

type Found = ReturnType<typeof filteredExactly>;

/** A part of what was found, in the order of the list. */
interface AskedPage {
  readonly found: Found;
  readonly values: Values;
  readonly order: ListOrder;
  readonly param: ParamOf<Values>;
}

/** `inOrder` is `byName`, or what says the same of these rows. */
function pageOf(db: Database, page: AskedPage, inOrder: RawBuilder<unknown>) {
  const { order, param } = page;
  return inListOrder(fromPlace(db, page), order, inOrder)
    .limit(param('limit'))
    .offset(param('offset'));
}

/** The same among the first `most` after the place: a number that tells the engine how few of the list are read. */
function pageAmong(db: Database, most: number, page: AskedPage) {
  const { order, param } = page;
  const first = inListOrder(fromPlace(db, page), order, byName(db))
    .selectAll('release')
    .select(order === 'name' ? nameStartOf(db) : [])
    .limit(sql.lit(most));
  const found = db.selectFrom(sql<Tables['listed_release']>`(${first})`.as('release'));
  return inListOrder(found, order, byNameOfFirst(db)).limit(param('limit')).offset(param('offset'));
}

/** Those that come after the place of the values, at its revision. */
function fromPlace(db: Database, { found, values, order, param }: AskedPage) {
  return found
    .$if(values.id !== undefined, (query) =>
      query.where(isAfter(db, order, { name: param('name'), id: param('id') })),
    )
    .$if(values.revision !== undefined, (query) => query.where(isOfRevision(param('revision'))));
}

function inListOrder(found: Found, order: ListOrder, inOrder: RawBuilder<unknown>) {
  return found
    .$if(order === 'name', (query) => query.orderBy(inOrder))
    .orderBy('release.id', directions[order]);
}

/**
 * How many releases a page is among, where that helps: few kinds of them, since each is a statement. Not of a list that is
 * filtered, where a plan for any value would be taken for the rarest one as well.
 */
function mostOf({ dialect }: Database, values: Values): number | null {
  const { limit, offset, name: _name, id: _id, revision: _revision, ...exact } = values;
  const end = offset + limit;
  if (!dialect.plansByLimit || Object.keys(exact).length > 0 || end > mostNear) return null;
  return 2 ** Math.ceil(Math.log2(end));
}
