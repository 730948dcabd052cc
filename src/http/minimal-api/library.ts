import type { Library } from '../../core/library/library.ts';
import type { LibraryItem } from '../../core/library/library-file.ts';
import { queryText } from './query.ts';
import type { Handle } from './route.ts';

const yes = ['1', 'true', 'yes'];

export function listLibrary(library: Pick<Library, 'list'>): Handle {
  return async (request) => {
    const system = queryText(request, 'system');
    const refresh = yes.includes(queryText(request, 'refresh').toLowerCase());
    const all = await library.list({ refresh });
    const items = all.filter((item) => system === '' || item.system === system).map(toItem);
    return { items, count: items.length };
  };
}

function toItem({ name, path, size, system, releaseId, ...found }: LibraryItem) {
  const { serial, method, canonical } = found;
  const cover = releaseId === null ? null : `/api/cover/${releaseId}`;
  return { name, path, size, system, release_id: releaseId, serial, method, canonical, cover };
}
