import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Accounts } from '../../../core/accounts/accounts.ts';
import type { Covers } from '../../../core/covers/covers.ts';
import type { Ownership } from '../../../core/library/owned-releases.ts';
import {
  defaultOrder,
  meaningOf,
  type RequestOrder,
  requestOrders,
} from '../../../core/releases/list-orders.ts';
import type { ReleaseFilter } from '../../../core/releases/ports.ts';
import type { ReleaseItem } from '../../../core/releases/release.ts';
import { notAuthenticated } from '../../../core/shared/errors.ts';
import { tooManyWords } from '../../../core/shared/search-text.ts';
import { presentedToken, requireRole, viewerOf } from '../accounts/access.ts';
import { clampedLimit } from '../paging.ts';
import { route } from '../route.ts';
import type { RouteParts } from '../services.ts';
import { setFailures } from '../sets/set-failures.ts';
import { include, unknownInclude, wantedFields } from './include.ts';

const library = Type.Unsafe<'have' | 'missing' | ''>({
  type: 'string',
  enum: ['', 'have', 'missing'],
  default: '',
  description: 'for users: those of which the library has a file, or has none (extension)',
});
const filterFields = {
  system: Type.String({ default: '', description: 'exact system; empty for all' }),
  q: Type.String({
    default: '',
    description:
      'part of the name as SQL LIKE sees it: `%` and `_` are wildcards, ASCII case is ignored',
  }),
  search: Type.String({
    default: '',
    description:
      'words in any order, at most 16, in the names and serials that any source gives; accents and case are ignored; one of 8, 32 ' +
      'or 40 hexadecimal digits may also be the CRC-32, MD5 or SHA-1 of a ROM (extension)',
  }),
  platform: Type.String({ default: '', description: 'name of the platform (extension)' }),
  region: Type.String({
    default: '',
    description: 'one of the regions, e.g. `Europe` (extension)',
  }),
  library,
  set: Type.String({
    default: '',
    description: 'for users: those of a set, by its id or name (extension)',
  }),
};
const filterQuery = Type.Object(filterFields);
type FilterQuery = Static<typeof filterQuery>;

/** The names for `include` in a list of releases. */
export const listIncludes = ['total', 'platform', 'region', 'cover', 'owned'];

const listQuery = Type.Object({
  ...filterFields,
  limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
  offset: Type.Integer({ default: 0, description: 'values below 0 become 0' }),
  order: Type.Unsafe<RequestOrder>({
    type: 'string',
    enum: requestOrders,
    default: defaultOrder,
    description: `${requestOrders.map((order) => `\`${order}\`: ${meaningOf(order)}`).join('; ')} (extension)`,
  }),
  include: include(listIncludes),
});

export const listReleases = route({
  summary: 'List and search releases',
  query: listQuery,
  response: Type.Object({
    items: Type.Array(Type.Ref('ReleaseListItem')),
    limit: Type.Integer(),
    offset: Type.Integer(),
    total: Type.Optional(Type.Integer({ description: 'with `include=total`' })),
  }),
  readsCredentials: true,
  failures: [unknownInclude, tooManyWords(), notAuthenticated(), ...setFailures],
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { accounts, covers, releases, responseCache } = parts;
    const filter = await readFilter(query, { parts, request, reply });
    const limit = clampedLimit(query.limit);
    const offset = Math.max(query.offset, 0);
    const wanted = wantedFields(query.include, listIncludes);
    const asksOwned = wanted.has('owned');
    const isRanked = query.order === 'relevance' && query.search.trim() !== '';
    const dependsOnUser = asksOwned || isRanked;
    if (dependsOnUser) reply.header('cache-control', 'private, no-cache');
    const ownedFirst = dependsOnUser && (await isSignedIn(accounts, request));
    const showsOwned = asksOwned && ownedFirst;
    const makePage = async () => {
      const [items, total] = await Promise.all([
        releases.list({ ...filter, order: query.order, limit, offset, ownedFirst }),
        wanted.has('total') ? releases.count(filter) : undefined,
      ]);
      const tags = await coverTags(covers, items, wanted);
      const owned = showsOwned ? await ownershipsOf(parts, items) : null;
      const listed = items.map((item) => toListItem(item, wanted, tags, owned));
      return { answer: { items: listed, limit, offset, total } };
    };
    // Neither a manually added cover nor a change of the library changes the catalogue's revision.
    // Therefore responses that depend on covers or on the library are not cached.
    const isKept = !isPersonal(query) && !wanted.has('cover') && !dependsOnUser;
    return responseCache.respond(request, reply, makePage, { isKept });
  },
});

const facet = (name: string) =>
  Type.Array(Type.Object({ [name]: Type.String(), releases: Type.Integer() }));

export const getFacets = route({
  summary: 'How many releases a filter finds by system, platform and region',
  query: Type.Object({
    ...filterFields,
    others: Type.Integer({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: '1: each list is counted under all parts of the filter but its own',
    }),
  }),
  response: Type.Object({
    systems: facet('system'),
    platforms: facet('platform'),
    regions: facet('region'),
  }),
  readsCredentials: true,
  failures: [tooManyWords(), notAuthenticated(), ...setFailures],
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { responseCache, releases } = parts;
    const filter = await readFilter(query, { parts, request, reply });
    const countFacets = async () => {
      const { systems, platforms, regions } = await releases.facets(
        filter,
        query.others === 1 ? 'without-own' : 'with-own',
      );
      const answer = {
        systems: systems.map(({ name, releases }) => ({ system: name, releases })),
        platforms: platforms.map(({ name, releases }) => ({ platform: name, releases })),
        regions: regions.map(({ name, releases }) => ({ region: name, releases })),
      };
      return { answer };
    };
    return responseCache.respond(request, reply, countFacets, { isKept: !isPersonal(query) });
  },
});

export const getLetters = route({
  summary: 'Where each first character starts in the list that a filter gives',
  query: filterQuery,
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        initial: Type.String(),
        offset: Type.Integer(),
        releases: Type.Integer(),
      }),
    ),
  }),
  readsCredentials: true,
  failures: [tooManyWords(), notAuthenticated(), ...setFailures],
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { responseCache, releases } = parts;
    const filter = await readFilter(query, { parts, request, reply });
    const countInitials = async () => ({ answer: { items: await releases.initials(filter) } });
    return responseCache.respond(request, reply, countInitials, { isKept: !isPersonal(query) });
  },
});

/** Returns true if only users may use the filter, because it depends on the library or on a set. */
function isPersonal({ library, set }: FilterQuery): boolean {
  return library !== '' || set !== '';
}

/**
 * Returns the filter of a query. Throws `not authenticated` if a client without valid credentials
 * filters by library or by a set. Throws `not found` for a set that the user does not see.
 */
async function readFilter(
  query: FilterQuery,
  { parts, request, reply }: { parts: RouteParts; request: FastifyRequest; reply: FastifyReply },
): Promise<ReleaseFilter> {
  const { set: named, ...filter } = query;
  if (!isPersonal(query)) return filter;
  reply.header('cache-control', 'private'); // also for the error response
  await requireRole(parts.accounts, 'user')(request);
  if (named === '') return filter;
  return { ...filter, set: await parts.sets.select(named, viewerOf(request)) };
}

async function isSignedIn(accounts: Accounts, request: FastifyRequest): Promise<boolean> {
  const presented = presentedToken(request);
  return presented !== null && (await accounts.findCredential(presented.token)) !== null;
}

/** Returns how each of these releases is owned, by id. Releases that are not owned are absent. */
export async function ownershipsOf(
  { ownedReleases, store }: Pick<RouteParts, 'ownedReleases' | 'store'>,
  items: readonly ReleaseItem[],
): Promise<ReadonlyMap<number, Ownership>> {
  const ids = items.map(({ id }) => id);
  const owned = new Map<number, Ownership>(await ownedReleases.findOwnership(ids));
  for (const id of await store.findStored(ids.filter((id) => !owned.has(id)))) {
    owned.set(id, 'stored');
  }
  return owned;
}

/**
 * Returns the cover tags of these releases, by id. Returns an empty map if cover tags are not
 * requested.
 */
export async function coverTags(
  covers: Covers,
  items: readonly ReleaseItem[],
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<number, string>> {
  return wanted.has('cover') ? covers.tagsOf(items.map(({ id }) => id)) : new Map();
}

/**
 * Returns a release as a list item, with the requested extra fields. `owned` is null if the item
 * shall not tell how the release is owned.
 */
export function toListItem(
  { id, system, name, region, serial, platform }: ReleaseItem & { platform: string },
  wanted: ReadonlySet<string>,
  tags: ReadonlyMap<number, string>,
  owned: ReadonlyMap<number, Ownership> | null = null,
) {
  const regions = region.split(',').map((one) => one.trim());
  return {
    id,
    system,
    name,
    region,
    serial,
    cover: `/api/cover/${id}`,
    ...(wanted.has('platform') && { platform }),
    ...(wanted.has('region') && { regions: regions.filter((one) => one !== '') }),
    ...(wanted.has('cover') && { cover_tag: tags.get(id) ?? null }),
    ...(owned && { owned: owned.get(id) ?? null }),
  };
}
