import { Type } from 'typebox';
import type { LibraryItem } from '../../core/library/library-file.ts';
import { insufficientStorage } from '../../core/shared/errors.ts';
import { sendPieces, yieldToEventLoop } from '../shared/files/send-pieces.ts';
import { prettyItems, prettyJsonList } from './pretty-json.ts';
import { route } from './route.ts';

const trueValues = ['1', 'true', 'yes'];

/**
 * Maximum number of items that are processed at a time, so that other requests do not wait long.
 * Longer lists are sent in pieces of this many items.
 */
const batchSize = 250;

export const listLibrary = route({
  summary: 'The files found on disk, with their releases',
  query: Type.Object({
    system: Type.String({
      default: '',
      description: 'only items of this system; empty for all',
    }),
    refresh: Type.String({
      default: '',
      description: '`1`, `true` or `yes`: the roots are scanned first, without hashing',
    }),
  }),
  response: Type.Object(
    { items: Type.Array(Type.Ref('LibraryItem')), count: Type.Integer() },
    { description: 'unique by name and size, ordered by name' },
  ),
  // The result of a scan is stored, which fails on a full disk.
  failures: [insufficientStorage()],
  async handle({ parts: { library }, query, request, reply }) {
    const { system } = query;
    const refresh = trueValues.includes(query.refresh.toLowerCase());
    const all = await library.list({ refresh });
    if (all.length > batchSize) return sendPieces(request, reply, streamItems(all, system));
    const items = itemsOf(all, system);
    return { items, count: items.length };
  },
});

/**
 * Yields the text of a long list in pieces. The text has the same format as that of a short list.
 */
function streamItems(all: readonly LibraryItem[], system: string): AsyncIterable<string> {
  let count = 0;
  async function* texts() {
    for (let from = 0; from < all.length; from += batchSize) {
      await yieldToEventLoop();
      const items = itemsOf(all.slice(from, from + batchSize), system);
      count += items.length;
      yield prettyItems(items);
    }
  }
  return prettyJsonList(texts(), () => ({ count }));
}

function itemsOf(all: readonly LibraryItem[], system: string) {
  return all.filter((item) => system === '' || item.system === system).map(toItem);
}

function toItem({ name, path, size, system, releaseId, ...found }: LibraryItem) {
  const { serial, method, canonical } = found;
  const cover = releaseId === null ? null : `/api/cover/${releaseId}`;
  return { name, path, size, system, release_id: releaseId, serial, method, canonical, cover };
}
