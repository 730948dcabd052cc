import type { Order } from '../api/model.ts';
import type { Filter } from '../api/releases.ts';
import { en } from '../language/en.ts';

/** The orders that a user can choose. */
export type ChosenOrder = keyof typeof en.orders & Order;

/** A view of the catalogue, as described by its URL: filters, order and scroll position. */
export interface CatalogueLocation extends Filter {
  /** The order that the user chose. '' means the default order (`orderOf`). */
  readonly order: ChosenOrder | '';
  /** Index of the first visible release. */
  readonly at: number;
}

export const filterNames = [
  'set',
  'search',
  'library',
  'cover',
  'system',
  'platform',
  'region',
  'genre',
  'year',
  'publisher',
] as const;

/** Values that clear all filters except `set`. */
export const noFilters: Omit<Filter, 'set'> = {
  search: '',
  library: '',
  cover: '',
  system: '',
  platform: '',
  region: '',
  genre: '',
  year: '',
  publisher: '',
};

export function parseLocation(query: Pick<URLSearchParams, 'get'>): CatalogueLocation {
  const at = Number(query.get('at') ?? 0);
  const texts = filterNames.map((name) => [name, query.get(name) ?? '']);
  const oneOf = (name: string, values: readonly string[]) =>
    values.find((each) => each === query.get(name)) ?? '';
  return {
    ...noFilters,
    set: '',
    ...Object.fromEntries(texts),
    library: oneOf('library', ['have', 'missing', 'verified']),
    cover: oneOf('cover', ['have', 'missing']),
    order: chosenOrder(query.get('order')),
    at: Number.isSafeInteger(at) && at > 0 ? at : 0,
  };
}

function chosenOrder(text: string | null): ChosenOrder | '' {
  return text !== null && Object.hasOwn(en.orders, text) ? (text as ChosenOrder) : '';
}

/**
 * Returns the order of a view. If the user has chosen no order, the default is the best match for a
 * search, and otherwise the title.
 */
export function orderOf({ order, search }: CatalogueLocation): ChosenOrder {
  const isSearch = search.trim() !== '';
  if (order === '' || (order === 'relevance' && !isSearch)) return isSearch ? 'relevance' : 'title';
  return order;
}

/** Returns the URL of a view, without default values, such as `/releases` or
 * `/releases?platform=...`. */
export function locationUrl({ order, at, ...filter }: CatalogueLocation): string {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filter[name] !== '') query.set(name, filter[name]);
  if (order !== '') query.set('order', order);
  if (at > 0) query.set('at', String(at));
  return query.size === 0 ? '/releases' : `/releases?${query}`;
}

/** Returns true if two views list the same releases in the same order. */
export function isSameList(one: CatalogueLocation, other: CatalogueLocation): boolean {
  return locationUrl({ ...one, at: 0 }) === locationUrl({ ...other, at: 0 });
}

/**
 * Returns true if a view has filters. The set whose releases are listed does not count as a filter.
 */
export function hasFilters(place: CatalogueLocation): boolean {
  return filterNames.some((name) => name !== 'set' && place[name] !== '');
}
