import { Type } from 'typebox';
import { archiveTooLarge } from '../../core/shared/errors.ts';
import type { StoredFile } from '../../core/shared/file-area.ts';
import { cleanArchiveName } from '../../core/store/archive-name.ts';
import { type Area, areaOf } from '../../core/store/area.ts';
import type { Store } from '../../core/store/store.ts';
import { receiveFile } from '../shared/multipart.ts';
import { allowPauses } from '../shared/reader-pause.ts';
import { sendFile } from '../shared/send-file.ts';
import { actorOf, credentialOf } from './access.ts';
import type { Route } from './route.ts';
import { Ok } from './schemas.ts';

const areaQuery = Type.Object({
  system: Type.String({ default: 'games', description: '`videos`, or anything else for games' }),
});
const archiveParams = Type.Object({ system: Type.String(), name: Type.String() });

export function listStore(store: Store): Route {
  return {
    summary: 'The archives of an area, by name',
    query: areaQuery,
    answer: Type.Object({
      items: Type.Array(Type.Ref('Archive')),
      count: Type.Integer(),
      system: Type.String({ description: 'as it was asked for' }),
    }),
    async handle(request) {
      const system = (request.query as Type.Static<typeof areaQuery>).system || 'games';
      const area = areaOf(system);
      const items = (await store.list(area)).map((file) => toArchive(file, area));
      return { items, count: items.length, system };
    },
  };
}

export function downloadArchive(store: Store): Route {
  return {
    summary: 'Download an archive',
    params: archiveParams,
    answer: ['application/octet-stream'],
    errors: [404],
    async handle(request, reply) {
      const { system, name } = request.params as Type.Static<typeof archiveParams>;
      const area = areaOf(system);
      const file = await store.open(area, name);
      allowPauses(request);
      reply.header('cache-control', 'private, no-cache');
      return sendFile(request, reply, file, {
        type: 'application/octet-stream',
        attachment: name,
        onStart: () => store.noteDownload(area, file, credentialOf(request).user.id),
      });
    },
  };
}

export function uploadArchive(store: Store): Route {
  return {
    summary: 'Upload an archive, replacing one of the same name',
    query: areaQuery,
    body: 'upload',
    answer: Type.Object({ ok: Type.Boolean(), filename: Type.String(), size: Type.Integer() }),
    errors: [400, 413, 507],
    async handle(request) {
      const area = areaOf((request.query as Type.Static<typeof areaQuery>).system);
      const { taken } = await receiveFile(request.raw, {
        onTooLarge: archiveTooLarge,
        // The name first: one that cannot be stored is told before the bytes are taken.
        take: async (supplied, bytes) => {
          const name = cleanArchiveName(supplied);
          return { name, staged: await store.stage(area, bytes) };
        },
        drop: ({ staged }) => staged.discard(),
      });
      const file = await store.save(area, taken.name, taken.staged, actorOf(request));
      return { ok: true, filename: file.name, size: file.size };
    },
  };
}

export function removeArchive(store: Store): Route {
  return {
    summary: 'Delete an archive',
    params: archiveParams,
    answer: Ok,
    errors: [404],
    async handle(request) {
      const { system, name } = request.params as Type.Static<typeof archiveParams>;
      await store.remove(areaOf(system), name, actorOf(request));
      return { ok: true };
    },
  };
}

function toArchive(file: StoredFile, area: Area) {
  const { name, size, mtimeNs } = file;
  return { name, filename: name, size, mtime_ns: mtimeNs, system: area };
}
