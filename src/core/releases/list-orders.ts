import type { ReleaseItem } from './release.ts';

/**
 * The name of a text by which the list of releases can be sorted. `sort_name` is the name without
 * regard to case, common accents and articles.
 */
export type SortText = Exclude<keyof ReleaseItem, 'id'> | 'sort_name';

/** Describes how the list is sorted: by texts in ascending order of code points, then by id. */
export type ListSort = {
  /** Describes the order to clients of the API. */
  readonly meaning: string;
} & (
  | {
      /**
       * The list is sorted by the first text. Releases with equal texts are sorted by the next
       * text.
       */
      readonly texts: readonly [SortText, ...SortText[]];
      readonly ids: 'asc';
    }
  | { readonly texts: readonly []; readonly ids: 'asc' | 'desc' }
);

/** The orders that do not depend on the search text. */
export const orders = {
  name: { texts: ['name'], ids: 'asc', meaning: 'by name, then by id' },
  newest: { texts: [], ids: 'desc', meaning: 'by id, the highest first' },
  title: {
    texts: ['sort_name'],
    ids: 'asc',
    meaning: 'by name without case, common accents and articles, then by id',
  },
} as const satisfies Readonly<Record<string, ListSort>>;
export type ListOrder = keyof typeof orders;

/** The order of the list if a request does not name an order. */
export const defaultOrder = 'name' satisfies ListOrder;

export const listOrders = Object.keys(orders) as ListOrder[];

/** All orders that a request may name. */
export const requestOrders = [...listOrders, 'relevance'] as const;
export type RequestOrder = (typeof requestOrders)[number];

/** Describes an order to clients of the API. */
export function meaningOf(order: RequestOrder): string {
  return order === 'relevance'
    ? 'the best matches of `search` first; without `search` like `name`'
    : sortOf(order).meaning;
}

/** Returns how an order sorts the list. */
export function sortOf(order: ListOrder): ListSort {
  return orders[order];
}
