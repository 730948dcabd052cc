import { Type } from 'typebox';
import type { ReleaseFilter } from '../../core/releases/ports.ts';
import type { ReleaseItem } from '../../core/releases/release.ts';
import { layout } from '../../core/releases/release-layout.ts';
import { notFound } from '../../core/shared/errors.ts';
import { sendPieces } from '../shared/files/send-pieces.ts';
import { prettyJsonList } from './pretty-json.ts';
import { route } from './route.ts';

/** Maximum number of items per list (minimal-api.md, Limits). */
const maxItems = 500;

export const getSummary = route({
  summary: 'The number of releases of each system',
  response: Type.Object({
    systems: Type.Array(Type.Object({ system: Type.String(), releases: Type.Integer() }), {
      description: 'ordered by system',
    }),
  }),
  entityTag: 'read',
  async handle({ parts: { responseCache, stats }, request, reply }) {
    return responseCache.respond(request, reply, async () => ({
      body: { systems: await stats.systems() },
    }));
  },
});

export const listReleases = route({
  summary: 'List and search releases, by name',
  query: Type.Object({
    system: Type.String({
      default: '',
      description: 'only this system, compared exactly; empty for all',
    }),
    q: Type.String({
      default: '',
      description:
        'part of the name, matched like SQL LIKE: `%` and `_` are wildcards, ASCII case is ignored',
    }),
    limit: Type.Integer({
      default: 50,
      description:
        'values over 500 become 500, and a value that is not an integer becomes 50; a negative value returns every row from the offset ' +
        'on, 0 returns none',
    }),
    offset: Type.Integer({
      default: 0,
      description: 'negative values, and values that are not integers, become 0',
    }),
  }),
  response: Type.Object({
    items: Type.Array(Type.Ref('ReleaseListItem')),
    limit: Type.Integer({ description: 'the applied value' }),
    offset: Type.Integer({ description: 'the applied value' }),
  }),
  entityTag: 'read-mostly',
  async handle({
    parts: { responseCache, releases },
    query: { system, q, ...page },
    request,
    reply,
  }) {
    const limit = Math.min(page.limit, maxItems);
    const offset = Math.max(page.offset, 0);
    const filter: ReleaseFilter = { system, q, search: '', platform: '', region: '' };
    if (limit < 0) {
      const texts = releases.streamAsText(filter, offset, listItemLayout);
      return sendPieces(
        request,
        reply,
        prettyJsonList(texts, () => ({ limit, offset })),
      );
    }
    return responseCache.respond(request, reply, async () => {
      const items = limit === 0 ? [] : await releases.list({ ...filter, limit, offset });
      return { body: { items: items.map(toListItem), limit, offset } };
    });
  },
});

export const getRelease = route({
  summary: 'One release with its ROMs',
  params: Type.Object({ id: Type.Integer({ minimum: 0, description: 'digits only' }) }),
  response: Type.Ref('Release'),
  failures: [notFound()],
  entityTag: 'read',
  async handle({ parts: { responseCache, releases }, params, request, reply }) {
    return responseCache.respond(request, reply, async () => {
      const release = await releases.get(params.id);
      const { description, roms } = release;
      return { body: { ...toListItem(release), description, roms } };
    });
  },
});

function toListItem({ id, system, name, region, serial }: ReleaseItem) {
  return { id, system, name, region, serial, cover: `/api/cover/${id}` };
}

/**
 * Template for one item of a list. It produces the same text as `prettyJson` of a `toListItem`
 * result.
 */
const listItemLayout = layout`
    {
      "id": ${'id'},
      "system": ${'system'},
      "name": ${'name'},
      "region": ${'region'},
      "serial": ${'serial'},
      "cover": "/api/cover/${'id'}"
    }`;
