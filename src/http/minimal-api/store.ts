import type { StoredFile } from '../../core/shared/file-area.ts';
import { areaOf } from '../../core/store/area.ts';
import type { Store } from '../../core/store/store.ts';
import { allowPauses } from '../shared/reader-pause.ts';
import { sendFile } from '../shared/send-file.ts';
import { pathName, queryText } from './query.ts';
import type { Handle } from './route.ts';

export function listStore(store: Store): Handle {
  return async (request) => {
    const files = await store.list(areaOf(queryText(request, 'system')));
    return { items: files.map(toArchive), count: files.length };
  };
}

export function downloadArchive(store: Store): Handle {
  return async (request, reply) => {
    const area = areaOf(queryText(request, 'system'));
    const name = pathName(request);
    const file = await store.open(area, name);
    allowPauses(request);
    reply.header('cache-control', 'private, no-cache');
    return sendFile(request, reply, file, {
      type: 'application/octet-stream',
      attachment: name,
      onStart: () => store.noteDownload(area, file, null),
    });
  };
}

function toArchive({ name, size, mtimeNs }: StoredFile) {
  return { name, filename: name, size, mtime_ns: mtimeNs };
}
