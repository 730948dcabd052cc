import type { ReleaseItem } from './release.ts';

/** The name of a text by which the list of releases can be sorted. */
export type SortText = Exclude<keyof ReleaseItem, 'id'>;

/** How the list is sorted: by texts in ascending order of code points, then by id. */
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

/** All orders of the list of releases. */
export const orders = {
  name: { texts: ['name'], ids: 'asc', meaning: 'by name, then by id' },
  newest: { texts: [], ids: 'desc', meaning: 'by id, the highest first' },
} as const satisfies Readonly<Record<string, ListSort>>;
export type ListOrder = keyof typeof orders;

/** The order of the list if a request does not name an order. */
export const defaultOrder = 'name' satisfies ListOrder;

export const listOrders = Object.keys(orders) as ListOrder[];

/** Returns how an order sorts the list. */
export function sortOf(order: ListOrder): ListSort {
  return orders[order];
}
