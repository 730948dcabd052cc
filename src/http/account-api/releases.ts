import { Type } from 'typebox';
import { metaFields, ownFields, type ReleaseItem } from '../../core/releases/release.ts';
import type { Releases } from '../../core/releases/releases.ts';
import { jsonBody } from '../shared/json-body.ts';
import { actorOf } from './access.ts';
import { parseBody, type Route } from './route.ts';
import { integerId, Ok, textField } from './schemas.ts';

const listQuery = Type.Object({
  system: Type.String({ default: '', description: 'exact system; empty for all' }),
  q: Type.String({
    default: '',
    description:
      'part of the name as SQL LIKE sees it: `%` and `_` are wildcards, ASCII case is ignored',
  }),
  limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
  offset: Type.Integer({ default: 0, description: 'values below 0 become 0' }),
});
const releaseParams = Type.Object({ release_id: integerId });

export function listReleases(releases: Releases): Route {
  return {
    summary: 'List and search releases, by name',
    query: listQuery,
    answer: Type.Object({
      items: Type.Array(Type.Ref('ReleaseListItem')),
      limit: Type.Integer(),
      offset: Type.Integer(),
    }),
    async handle(request) {
      const query = request.query as Type.Static<typeof listQuery>;
      const limit = Math.min(Math.max(query.limit, 1), 500);
      const offset = Math.max(query.offset, 0);
      const items = await releases.list({ ...query, limit, offset });
      return { items: items.map(toListItem), limit, offset };
    },
  };
}

export function getRelease(releases: Releases): Route {
  return {
    summary: 'One release with its ROMs and metadata',
    params: releaseParams,
    answer: Type.Ref('Release'),
    errors: [404],
    async handle(request) {
      const { release_id } = request.params as Type.Static<typeof releaseParams>;
      const { description, roms, meta, ...item } = await releases.get(release_id);
      return { ...toListItem(item), description, roms, meta: meta ?? {} };
    },
  };
}

const editFields = [...ownFields, ...metaFields];
const editBody = jsonBody(Type.Object(Object.fromEntries(editFields.map((f) => [f, textField]))));

export function editRelease(releases: Releases): Route {
  return {
    summary: 'Edit a release and its metadata',
    params: releaseParams,
    body: editBody,
    answer: Ok,
    errors: [404],
    async handle(request) {
      const { release_id } = request.params as Type.Static<typeof releaseParams>;
      await releases.mustExist(release_id);
      const body = parseBody(request, editBody);
      const edit = Object.fromEntries(Object.entries(body).map(([f, value]) => [f, value ?? '']));
      await releases.edit(release_id, edit, actorOf(request));
      return { ok: true };
    },
  };
}

function toListItem({ id, system, name, region, serial }: ReleaseItem) {
  return { id, system, name, region, serial, cover: `/api/cover/${id}` };
}
