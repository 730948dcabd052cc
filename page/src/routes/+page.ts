import { placeOf } from '../catalogue/place.ts';
import { list } from '../catalogue/shelf.ts';

/** Asks for the first releases while it is still being asked who looks at them. */
export function load({ url }: { url: URL }): void {
  if (list.place === null) void list.open(placeOf(url.searchParams));
}
