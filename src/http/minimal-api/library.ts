import type { Library } from '../../core/library/library.ts';
import type { LibraryItem } from '../../core/library/library-file.ts';
import { prettyJsonList } from './pretty-json.ts';
import { queryText } from './query.ts';
import type { Handle } from './route.ts';
import { ownTurn, sendPieces } from './send-pieces.ts';

const yes = ['1', 'true', 'yes'];

/** A library of more is looked through, and sent, so many at a time: less than a millisecond's work. */
const itemsAtOnce = 250;

export function listLibrary(library: Pick<Library, 'list'>): Handle {
  return async (request, reply) => {
    const system = queryText(request, 'system');
    const refresh = yes.includes(queryText(request, 'refresh').toLowerCase());
    const all = await library.list({ refresh });
    if (all.length > itemsAtOnce) return sendPieces(request, reply, inPieces(all, system));
    const items = itemsOf(all, system);
    return { items, count: items.length };
  };
}

/** The same text as the short answer's. */
function inPieces(all: readonly LibraryItem[], system: string): AsyncIterable<string> {
  let count = 0;
  async function* batches() {
    for (let from = 0; from < all.length; from += itemsAtOnce) {
      await ownTurn();
      const items = itemsOf(all.slice(from, from + itemsAtOnce), system);
      count += items.length;
      yield items;
    }
  }
  return prettyJsonList(batches(), () => ({ count }));
}

function itemsOf(all: readonly LibraryItem[], system: string) {
  return all.filter((item) => system === '' || item.system === system).map(toItem);
}

function toItem({ name, path, size, system, releaseId, ...found }: LibraryItem) {
  const { serial, method, canonical } = found;
  const cover = releaseId === null ? null : `/api/cover/${releaseId}`;
  return { name, path, size, system, release_id: releaseId, serial, method, canonical, cover };
}
