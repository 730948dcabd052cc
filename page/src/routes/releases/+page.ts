import { parseLocation } from '../../catalogue/catalogue-location.ts';
import { list } from '../../catalogue/catalogue-state.ts';

/** Requests the first page of releases immediately, without waiting for the session. */
export function load({ url }: { url: URL }): void {
  if (list.place === null) void list.open(parseLocation(url.searchParams));
}
