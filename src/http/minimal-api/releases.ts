import type { FastifyRequest } from 'fastify';
import type { ReleaseFilter } from '../../core/releases/ports.ts';
import type { ReleaseItem } from '../../core/releases/release.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { Stats } from '../../core/stats/stats.ts';
import { prettyJsonList } from './pretty-json.ts';
import { pathId, queryInteger, queryText } from './query.ts';
import type { Handle } from './route.ts';
import { sendPieces } from './send-pieces.ts';

/** minimal-api.md, Limits. */
const defaultLimit = 50;
const mostItems = 500;

export function getSummary(stats: Stats): Handle {
  return async () => ({ systems: await stats.systems() });
}

export function listReleases(releases: Releases): Handle {
  return async (request, reply) => {
    const limit = Math.min(queryInteger(request, 'limit', defaultLimit), mostItems);
    const offset = Math.max(queryInteger(request, 'offset', 0), 0);
    const filter = filterOf(request);
    if (limit < 0) {
      const batches = itemBatches(releases, filter, offset);
      return sendPieces(
        request,
        reply,
        prettyJsonList(batches, () => ({ limit, offset })),
      );
    }
    const items = limit === 0 ? [] : await releases.list({ ...filter, limit, offset });
    return { items: items.map(toListItem), limit, offset };
  };
}

export function getRelease(releases: Releases): Handle {
  return async (request) => {
    const release = await releases.get(pathId(request));
    const { description, roms } = release;
    return { ...toListItem(release), description, roms };
  };
}

function filterOf(request: FastifyRequest): ReleaseFilter {
  const [system, q] = [queryText(request, 'system'), queryText(request, 'q')];
  return { system, q, search: '', platform: '', region: '' };
}

async function* itemBatches(releases: Releases, filter: ReleaseFilter, offset: number) {
  for await (const batch of releases.stream(filter, offset)) yield batch.map(toListItem);
}

function toListItem({ id, system, name, region, serial }: ReleaseItem) {
  return { id, system, name, region, serial, cover: `/api/cover/${id}` };
}
