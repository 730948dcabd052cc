import { Type } from 'typebox';
import { clampedLimit } from '../paging.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { coverTags, listIncludes, ownershipsOf, toListItem } from '../releases/releases.ts';
import { route } from '../route.ts';

const includable = listIncludes.filter((name) => name !== 'total');

export const listRecentlyAdded = route({
  summary: 'The releases whose files were added to the library last, newest first',
  query: Type.Object({
    limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
    include: include(includable),
  }),
  response: Type.Object({ items: Type.Array(Type.Ref('ReleaseListItem')) }),
  failures: [unknownInclude],
  async handle({ parts, query }) {
    const { covers, ownedReleases, releases } = parts;
    const wanted = wantedFields(query.include, includable);
    const ids = await ownedReleases.listRecent(clampedLimit(query.limit));
    const items = await releases.listByIds(ids);
    const tags = await coverTags(covers, items, wanted);
    const owned = wanted.has('owned') ? await ownershipsOf(parts, items) : null;
    return { items: items.map((item) => toListItem(item, wanted, tags, owned)) };
  },
});
