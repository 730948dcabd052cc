import { type Expression, type SqlBool, sql } from 'kysely';
import type { ListOrder } from '../core/releases/ports.ts';
import { askedByNobody } from '../core/shared/asker.ts';
import type { Database, Engine } from './engine.ts';
import { countedBy } from './release-counts.ts';
import { type ExactValues, filteredExactly } from './release-filter.ts';

/** A place is remembered after every so many releases of a list, where it is not too long for that. */
const leastStep = 100;
const mostOfList = 10_000;
/** Of all lists together: some 8 MB. */
const mostPlaces = 40_000;
/** Releases that are read at a time to remember places: others who look at whole tables wait for no more. */
const piece = 10_000;
/** Of these the first pages are as good. */
const shortList = 1_000;

/** A list: what it is filtered by, and its order. */
export interface PlacedList {
  readonly values: ExactValues;
  readonly order: ListOrder;
}

/** The last of the first `offset` releases of a list, at this revision of the catalogue. */
export interface Place {
  readonly offset: number;
  readonly name: string;
  readonly id: number;
}

interface Places {
  readonly revision: number;
  /** Releases from each to the next. */
  readonly step: number;
  readonly found: Place[];
}

/**
 * Where lists are at every so many releases, so that a page far in one need not count all before it. Of use only at the
 * revision at which they were found: the query of the page has to hold `isOfRevision`.
 */
export class ListPlaces {
  readonly #engine: Pick<Engine, 'read' | 'readAtLength'>;
  /** By list, those that were asked for last at the end. */
  readonly #lists = new Map<string, Places>();
  #finding: Promise<void> | undefined;

  constructor(engine: Pick<Engine, 'read' | 'readAtLength'>) {
    this.#engine = engine;
  }

  /** The nearest place at or before an offset; undefined where none is known. */
  find(list: PlacedList, offset: number): (Place & { revision: number }) | undefined {
    const key = JSON.stringify(list);
    const places = this.#lists.get(key);
    if (places === undefined) return undefined;
    this.#lists.delete(key);
    this.#lists.set(key, places);
    const { step, found, revision } = places;
    const place = found[Math.min(Math.floor(offset / step), found.length) - 1];
    return place && { ...place, revision };
  }

  /**
   * Has the places of a list found anew when they are not those of the present revision, in pieces, beside other work; one
   * list at a time. Ends early when the revision moves.
   */
  renew(list: PlacedList): void {
    this.#finding ??= askedByNobody(() => this.#findAll(list))
      .catch(() => undefined) // found again when the next page is asked for
      .finally(() => {
        this.#finding = undefined;
      });
  }

  /** Resolves when nothing is being found. */
  async settled(): Promise<void> {
    await this.#finding;
  }

  async #findAll(list: PlacedList): Promise<void> {
    const key = JSON.stringify(list);
    const { revision, releases } = await countAt(this.#engine.read, list.values);
    if (this.#lists.get(key)?.revision === revision) return;
    this.#lists.delete(key);
    if (releases < shortList) return;
    const step = Math.max(leastStep, Math.ceil(releases / mostOfList));
    const places: Places = { revision, step, found: [] };
    this.#lists.set(key, places);
    for (let last: Place | undefined; ; last = places.found.at(-1)) {
      const found = await findPiece(this.#engine.readAtLength, list, places, last);
      // What is found here may be of use already.
      places.found.push(...found);
      this.#makeRoom();
      if (found.length < perPiece(step) || this.#lists.get(key) !== places) return;
    }
  }

  #makeRoom(): void {
    let all = 0;
    for (const { found } of this.#lists.values()) all += found.length;
    for (const [key, { found }] of this.#lists) {
      if (all <= mostPlaces) return;
      this.#lists.delete(key);
      all -= found.length;
    }
  }
}

/** The condition that the catalogue is at a revision, in the same snapshot as all the statement. */
export function isOfRevision(revision: unknown) {
  return sql<SqlBool>`(SELECT number FROM part_revision WHERE part = 'catalogue') = ${revision}`;
}

/** The condition that a release comes after a place. */
export function isAfter(
  { dialect }: Database,
  order: ListOrder,
  { name, id }: { name: Expression<unknown> | string; id: unknown },
) {
  if (order === 'newest') return sql<SqlBool>`release.id < ${id}`;
  const place = sql`${dialect.textOrder(name)}, ${id}`;
  return sql<SqlBool>`(${byName({ dialect })}, release.id) > (${place})`;
}

/** What the list by name is ordered by before the id. */
export function byName({ dialect }: Pick<Database, 'dialect'>) {
  return dialect.textOrder(sql.ref('release.name'));
}

async function countAt(db: Database, values: ExactValues) {
  const { walkedSystem, ...others } = values;
  const counted = walkedSystem === undefined ? values : { ...others, system: walkedSystem };
  const { revision, releases } = await db
    .selectFrom('part_revision')
    .select('number as revision')
    .select(
      countedBy(db, counted)
        .select((is) => is.fn.sum<number | null>('release.releases').as('sum'))
        .as('releases'),
    )
    .where('part', '=', 'catalogue')
    .executeTakeFirstOrThrow();
  return { revision, releases: releases ?? 0 };
}

function perPiece(step: number): number {
  return Math.max(1, Math.floor(piece / step));
}

/** The places among the next releases after `last`; none when the revision is another. */
async function findPiece(
  db: Database,
  { values, order }: PlacedList,
  { revision, step }: Places,
  last: Place | undefined,
): Promise<Place[]> {
  const direction = order === 'name' ? 'asc' : 'desc';
  const next = filteredExactly(db, 'listed', values, (name) => sql.val(values[name] ?? ''))
    .where(isOfRevision(revision))
    .$if(last !== undefined, (query) => query.where(isAfter(db, order, last as Place)))
    .select(['release.name', 'release.id'])
    .$if(order === 'name', (query) => query.orderBy(byName(db)))
    .orderBy('release.id', direction)
    .limit(perPiece(step) * step);
  const numbered = db
    .selectFrom(next.as('next'))
    .select(['next.name', 'next.id'])
    .select((is) =>
      is.fn
        .agg<number>('row_number')
        .over((over) =>
          (order === 'name' ? over.orderBy('next.name') : over).orderBy('next.id', direction),
        )
        .as('number'),
    );
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .selectAll()
    .where(sql<SqlBool>`number % ${sql.lit(step)} = 0`)
    .orderBy('number')
    .execute();
  const before = last?.offset ?? 0;
  return rows.map(({ name, id, number }) => ({ name, id, offset: before + number }));
}
