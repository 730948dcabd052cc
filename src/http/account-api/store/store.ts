import { Type } from 'typebox';
import { archiveTooLarge, invalidFilename, notFound } from '../../../core/shared/errors.ts';
import type { StoredFile } from '../../../core/shared/files/file-area.ts';
import { cleanArchiveName } from '../../../core/store/archive-name.ts';
import { type Area, areaOf } from '../../../core/store/area.ts';
import type { Store } from '../../../core/store/store.ts';
import { receiveFile } from '../../shared/bodies/multipart.ts';
import { FileContent } from '../../shared/routes/route.ts';
import { allowPauses } from '../../shared/server/connections.ts';
import { actorOf, credentialOf } from '../accounts/access.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { route } from '../route.ts';
import { Ok } from '../schemas.ts';
import { sendArchive } from './send-archive.ts';

const areaQuery = Type.Object({
  system: Type.String({ default: 'games', description: '`videos`, or anything else for games' }),
});
const archiveParams = Type.Object({ system: Type.String(), name: Type.String() });

const includable = ['total', 'release', 'sha256'];

export const listStore = route({
  summary: 'The archives of an area, by name',
  query: Type.Object({
    ...areaQuery.properties,
    ...pageQuery.properties,
    search: Type.String({
      default: '',
      description: 'words that the name contains, without regard to case and accents (extension)',
    }),
    size: Type.Optional(
      Type.Integer({
        description:
          'bytes: only archives that were stored with this size, at most 100; absent: all (extension)',
      }),
    ),
    include: include(includable),
  }),
  response: Type.Object({
    items: Type.Array(Type.Ref('Archive')),
    count: Type.Integer({ description: 'number of `items`' }),
    system: Type.String({ description: 'the requested value' }),
    total: Type.Optional(
      Type.Integer({ description: 'with `include=total`: number of items on all pages' }),
    ),
  }),
  failures: [unknownInclude],
  async handle({ parts: { store }, query }) {
    const system = query.system || 'games';
    const area = areaOf(system);
    const wanted = wantedFields(query.include, includable);
    const { files, total } = await findArchives(store, area, query);
    const [releases, checksums] = await Promise.all([
      wanted.has('release') ? store.findReleases(files) : null,
      wanted.has('sha256') ? store.findChecksums(area, files) : null,
    ]);
    const items = files.map((file) => ({
      ...toArchive(file, area),
      ...(releases && { release: releases.get(file.name) ?? null }),
      ...(checksums && { sha256: checksums.get(file.name) ?? null }),
    }));
    return { items, count: items.length, system, ...(wanted.has('total') && { total }) };
  },
});

/**
 * Finds the requested archives. Without paging or search, reads the current listing instead of the
 * cached one.
 */
async function findArchives(
  store: Store,
  area: Area,
  query: { search: string; size?: number; limit?: number; offset: number },
): Promise<{ files: StoredFile[]; total: number }> {
  const page = pageOf(query);
  if (query.size !== undefined) {
    const files = await store.listBySize(area, query.size);
    return { files, total: files.length };
  }
  if (page !== undefined || query.search !== '') {
    return store.listPage(area, query.search, page ?? unlimitedPage);
  }
  const files = await store.list(area);
  return { files, total: files.length };
}

const unlimitedPage = { limit: Number.POSITIVE_INFINITY, offset: 0 };

export const downloadArchive = route({
  summary: 'Download an archive',
  params: archiveParams,
  response: new FileContent(['application/octet-stream'], { isAttachment: true }),
  failures: [notFound()],
  async handle({ parts: { store, archiveSender }, params: { system, name }, request, reply }) {
    const area = areaOf(system);
    const file = await store.open(area, name);
    allowPauses(request);
    return sendArchive[archiveSender](request, reply, file, {
      area,
      type: 'application/octet-stream',
      attachment: name,
      sha256: () => store.sha256Of(area, file),
      onStart: () => store.recordDownload(area, file, credentialOf(request).user.id),
    });
  },
});

export const uploadArchive = route({
  summary: 'Upload an archive, replacing one of the same name',
  query: areaQuery,
  body: 'upload',
  response: Type.Object({ ok: Type.Boolean(), filename: Type.String(), size: Type.Integer() }),
  failures: [invalidFilename(), archiveTooLarge()],
  async handle({ parts: { store }, query, request }) {
    const area = areaOf(query.system);
    const { name, staged } = await receiveFile(request.raw, {
      checkSize: (bytes) => store.checkSpace(area, bytes),
      // Check the name first, so that an invalid name is refused before the bytes are received.
      receive: async (supplied, bytes) => {
        const name = cleanArchiveName(supplied);
        return { name, staged: await store.stage(area, bytes) };
      },
      discard: ({ staged }) => staged.discard(),
    });
    const file = await store.save(area, name, staged, actorOf(request));
    return { ok: true, filename: file.name, size: file.size };
  },
});

export const removeArchive = route({
  summary: 'Delete an archive',
  params: archiveParams,
  response: Ok,
  failures: [notFound()],
  async handle({ parts: { store }, params: { system, name }, request }) {
    await store.remove(areaOf(system), name, actorOf(request));
    return { ok: true };
  },
});

/** Returns an archive as a JSON object of this API. */
export function toArchive(file: StoredFile, area: Area) {
  const { name, size, mtimeNs } = file;
  return { name, filename: name, size, mtime_ns: mtimeNs, system: area };
}
