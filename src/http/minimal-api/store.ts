import { Type } from 'typebox';
import { notFound } from '../../core/shared/errors.ts';
import type { StoredFile } from '../../core/shared/files/file-area.ts';
import { areaOf } from '../../core/store/area.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { FileContent } from '../shared/routes/route.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { route } from './route.ts';

const areaQuery = Type.Object({
  system: Type.String({
    default: 'games',
    description: '`videos`; any other value for games (extension)',
  }),
});

export const listStore = route({
  summary: 'The archives of an area, by name',
  query: areaQuery,
  response: Type.Object({ items: Type.Array(Type.Ref('Archive')), count: Type.Integer() }),
  async handle({ parts: { store }, query }) {
    const files = await store.list(areaOf(query.system));
    return { items: files.map(toArchive), count: files.length };
  },
});

export const downloadArchive = route({
  summary: 'Download an archive',
  params: Type.Object({ name: Type.String({ description: 'the file name' }) }),
  query: areaQuery,
  response: new FileContent(['application/octet-stream'], { isAttachment: true }),
  failures: [notFound()],
  async handle({ parts: { store }, params: { name }, query, request, reply }) {
    const area = areaOf(query.system);
    const file = await store.open(area, name);
    allowPauses(request);
    reply.header('cache-control', 'private, no-cache');
    return sendFile(request, reply, file, {
      type: 'application/octet-stream',
      attachment: name,
      sha256: () => store.sha256Of(area, file),
      onStart: () => store.recordDownload(area, file, null),
    });
  },
});

function toArchive({ name, size, mtimeNs }: StoredFile) {
  return { name, filename: name, size, mtime_ns: mtimeNs };
}
