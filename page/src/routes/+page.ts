import { placeOf } from '../catalogue/place.ts';
import { list } from '../catalogue/shelf.ts';

/** Requests the first page of releases immediately, without waiting for the session. */
export function load({ url }: { url: URL }): void {
  if (list.place === null) void list.open(placeOf(url.searchParams));
}
