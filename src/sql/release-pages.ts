import { type SqlBool, sql } from 'kysely';
import type { ListedRelease, ReleaseFilter } from '../core/releases/ports.ts';
import { compileQuery, type ParamOf, type RunCompiled } from './compiled-query.ts';
import type { Database } from './engine.ts';
import { type ExactValues, exactValues, filtered, filteredExactly } from './release-filter.ts';

/** Rows of one batch of a whole list. */
const batch = 500;

export const itemColumns = [
  'release.id',
  'release.system',
  'release.name',
  'release.region',
  'release.serial',
] as const;

/** A part of the list: so many, from the offset on, of those that come after `after`. */
interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly after?: { readonly name: string; readonly id: number };
}

type Which = 'listed' | 'all';
type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];
/** By name, all that a query of the list compares with; without `name` and `id` it begins at the first release. */
interface Values extends ExactValues {
  readonly limit: number;
  readonly offset: number;
  readonly name?: string;
  readonly id?: number;
}

/** The list of releases by pages, ordered by name, then id. */
export class ReleasePages {
  readonly #db: Database;
  /** By what a query depends on: the names of its values. */
  readonly #compiled = new Map<string, RunCompiled<Values, Row>>();

  constructor(db: Database) {
    this.#db = db;
  }

  async read(filter: ReleaseFilter, page: Page): Promise<ListedRelease[]> {
    // Far into a long list it takes half the time not to look at each row whether it is hidden; that any are is rare.
    const rows = await this.#rows(filter, page, 'all');
    const listed = rows[0]?.isImporting ? await this.#rows(filter, page, 'listed') : rows;
    return listed.map(({ isImporting: _, ...row }) => ({ ...row, platform: row.platform ?? '' }));
  }

  /** Everything from the offset on. One statement per batch: an open one would keep the write-ahead log from shrinking. */
  async *stream(filter: ReleaseFilter, offset: number): AsyncGenerator<ListedRelease[]> {
    let page = await this.read(filter, { limit: batch, offset });
    for (let after = page.at(-1); after; after = page.at(-1)) {
      yield page;
      if (page.length < batch) return;
      page = await this.read(filter, { limit: batch, offset: 0, after });
    }
  }

  async #rows(filter: ReleaseFilter, page: Page, which: Which): Promise<Row[]> {
    const { limit, offset, after } = page;
    const values = { ...exactValues(filter), limit, offset, ...after };
    if (filter.q === '' && filter.search === '') return this.#runCompiled(values, which);
    const found = await filtered(this.#db, filter, which);
    return rowsOf(
      this.#db,
      idsOf(found, values, (name) => sql`${values[name]}`),
    ).execute();
  }

  #runCompiled(values: Values, which: Which): Promise<Row[]> {
    const key = [which, ...Object.keys(values)].join();
    let run = this.#compiled.get(key);
    if (!run) {
      run = compileQuery<Values, Row>((param) => {
        const found = filteredExactly(this.#db, which, values, param);
        return rowsOf(this.#db, idsOf(found, values, param));
      });
      this.#compiled.set(key, run);
    }
    return run(this.#db, values);
  }
}

type Found = ReturnType<typeof filteredExactly>;

/** The page's ids, from an index alone. */
function idsOf(found: Found, { name }: Values, param: ParamOf<Values>) {
  const isAfter = sql<SqlBool>`(release.name, release.id) > (${param('name')}, ${param('id')})`;
  const rest = name === undefined ? found : found.where(isAfter);
  return rest
    .select('release.id')
    .orderBy('release.name')
    .orderBy('release.id')
    .limit(param('limit'))
    .offset(param('offset'));
}

function rowsOf(db: Database, ids: ReturnType<typeof idsOf>) {
  return (
    db
      .selectFrom('release')
      .leftJoin('platform', 'platform.id', 'release.platform_id')
      .select([...itemColumns, 'platform.name as platform'])
      // In the same statement, so that no import begins in between.
      .select(sql<unknown>`EXISTS (SELECT 1 FROM unfinished_import)`.as('isImporting'))
      .where('release.id', 'in', ids)
      .orderBy('release.name')
      .orderBy('release.id')
  );
}
