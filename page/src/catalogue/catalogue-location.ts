import type { Order } from '../api/model.ts';
import type { Filter } from '../api/releases.ts';
import { en } from '../language/en.ts';

/** A view of the catalogue, as described by its URL: filters, order and scroll position. */
export interface CatalogueLocation extends Filter {
  readonly order: Order;
  /** Index of the first visible release. */
  readonly at: number;
}

export const filterNames = ['search', 'system', 'platform', 'region', 'library'] as const;

export function parseLocation(query: Pick<URLSearchParams, 'get'>): CatalogueLocation {
  const at = Number(query.get('at') ?? 0);
  return {
    search: query.get('search') ?? '',
    system: query.get('system') ?? '',
    platform: query.get('platform') ?? '',
    region: query.get('region') ?? '',
    library: ['have', 'missing'].find((each) => each === query.get('library')) ?? '',
    order: orderOf(query.get('order')),
    at: Number.isSafeInteger(at) && at > 0 ? at : 0,
  };
}

function orderOf(text: string | null): Order {
  return text !== null && Object.hasOwn(en.orders, text) ? (text as Order) : 'name';
}

/** Returns the URL of a view, without default values, such as `/releases` or
 * `/releases?platform=...`. */
export function locationUrl({ order, at, ...filter }: CatalogueLocation): string {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filter[name] !== '') query.set(name, filter[name]);
  if (order !== 'name') query.set('order', order);
  if (at > 0) query.set('at', String(at));
  return query.size === 0 ? '/releases' : `/releases?${query}`;
}

/** Returns true if two views list the same releases in the same order. */
export function isSameList(one: CatalogueLocation, other: CatalogueLocation): boolean {
  return locationUrl({ ...one, at: 0 }) === locationUrl({ ...other, at: 0 });
}

export function hasFilters(place: CatalogueLocation): boolean {
  return filterNames.some((name) => place[name] !== '');
}
