import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Accounts } from '../../../core/accounts/accounts.ts';
import type { Covers } from '../../../core/covers/covers.ts';
import type { Ownership } from '../../../core/library/owned-releases.ts';
import { tooManyValues } from '../../../core/releases/filter-values.ts';
import {
  defaultOrder,
  meaningOf,
  type RequestOrder,
  requestOrders,
} from '../../../core/releases/list-orders.ts';
import {
  type ExtraFacet,
  extraFacets,
  type Facet,
  type Facets,
  type InitialOrder,
  initialOrders,
  maxValues,
  type ReleaseFilter,
} from '../../../core/releases/ports.ts';
import type { ReleaseItem } from '../../../core/releases/release.ts';
import { layout } from '../../../core/releases/release-layout.ts';
import { notAuthenticated } from '../../../core/shared/errors.ts';
import {
  type CoverState,
  coverStates,
  type LibraryState,
  libraryStates,
} from '../../../core/shared/release-rule.ts';
import { tooManyWords } from '../../../core/shared/search-text.ts';
import type { JsonResult } from '../../shared/files/send-tagged.ts';
import { requireRole, viewerOf } from '../accounts/access.ts';
import { presentedToken } from '../accounts/presented-token.ts';
import { clampedLimit } from '../paging.ts';
import { route } from '../route.ts';
import type { RouteParts } from '../services.ts';
import { setFailures } from '../sets/set-failures.ts';
import { include, unknownInclude, wantedFields } from './include.ts';

const library = Type.Unsafe<LibraryState | ''>({
  type: 'string',
  enum: ['', ...libraryStates],
  default: '',
  description:
    'for users: only releases with a file in the library, without one, or with a file that a hash matched (extension)',
});
const cover = Type.Unsafe<CoverState | ''>({
  type: 'string',
  enum: ['', ...coverStates],
  default: '',
  description: 'only releases with a cover, or without one (extension)',
});
const several = 'several values are separated by `|`; a `|` in a value is doubled (extension)';
const filterFields = {
  system: Type.String({
    default: '',
    description: 'only this system, compared exactly; empty for all',
  }),
  q: Type.String({
    default: '',
    description:
      'part of the name, matched like SQL LIKE: `%` and `_` are wildcards, ASCII case is ignored',
  }),
  search: Type.String({
    default: '',
    description:
      'words in any order, at most 16, in the names and serials of all sources; accents and case are ignored; a word of 8, 32 ' +
      'or 40 hexadecimal digits also finds the CRC-32, MD5 or SHA-1 of a ROM (extension)',
  }),
  platform: Type.String({ default: '', description: `name of the platform; ${several}` }),
  region: Type.String({
    default: '',
    description: `one of the regions, e.g. \`Europe\`; ${several}`,
  }),
  library,
  cover,
  genre: Type.String({ default: '', description: `the genre, compared exactly; ${several}` }),
  year: Type.String({
    default: '',
    description: `the first four digits of the release date; ${several}`,
  }),
  publisher: Type.String({
    default: '',
    description: `the publisher, compared exactly; ${several}`,
  }),
  set: Type.String({
    default: '',
    description: 'for users: only releases of this set, by its id or name (extension)',
  }),
};
const filterQuery = Type.Object(filterFields);
type FilterQuery = Static<typeof filterQuery>;

const filterFailures = [
  tooManyWords(),
  tooManyValues('<filter>'),
  notAuthenticated(),
  ...setFailures,
];

/** The names for `include` that add fields to each release of a list. */
export const itemIncludes = ['platform', 'region', 'cover', 'owned'];
/** The names for `include` in a list of releases. */
export const listIncludes = ['total', ...itemIncludes];

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
  failures: [unknownInclude, ...filterFailures],
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { accounts, covers, releases, responseCache } = parts;
    const filter = await readFilter(query, { parts, request, reply });
    const limit = clampedLimit(query.limit);
    const offset = Math.max(query.offset, 0);
    const wanted = wantedFields(query.include, listIncludes);
    const wantsOwned = wanted.has('owned');
    const isRanked = query.order === 'relevance' && query.search.trim() !== '';
    const dependsOnUser = wantsOwned || isRanked;
    if (dependsOnUser) reply.header('cache-control', 'private, no-cache');
    const ownedFirst = dependsOnUser && (await isSignedIn(accounts, request));
    const showsOwned = wantsOwned && ownedFirst;
    const makePage = async (): Promise<JsonResult> => {
      if (wanted.size === 0 && query.order === 'name') {
        // Reading rows and serializing them would take 40 % more processor time.
        const text = await releases.listAsText(filter, { limit, offset }, listItemLayout);
        return { json: `{"items":[${text}],"limit":${limit},"offset":${offset}}` };
      }
      const [items, total] = await Promise.all([
        releases.list({ ...filter, order: query.order, limit, offset, ownedFirst }),
        wanted.has('total') ? releases.count(filter) : undefined,
      ]);
      const tags = await coverTags(covers, items, wanted);
      const owned = showsOwned ? await ownershipsOf(parts, items) : null;
      const listed = items.map((item) => toListItem(item, wanted, tags, owned));
      return { body: { items: listed, limit, offset, total } };
    };
    // Neither a manually added cover nor a change of the library changes the catalogue's revision.
    // Therefore responses that depend on covers or on the library are not cached.
    const isCacheable = dependsOnCatalogue(query) && !wanted.has('cover') && !dependsOnUser;
    return responseCache.respond(request, reply, makePage, { isCacheable });
  },
});

const facet = (name: string) =>
  Type.Array(Type.Object({ [name]: Type.String(), releases: Type.Integer() }));

const ofExtra = (name: ExtraFacet) => `with \`include=${name}\``;

const facetList = (name: 'genre' | 'year' | 'publisher') => {
  const description = `${ofExtra(name)}: at most ${maxValues}, those with the most releases`;
  const item = Type.Object({ [name]: Type.String(), releases: Type.Integer() });
  return Type.Optional(Type.Array(item, { description }));
};

const facetStates = (name: ExtraFacet, states: readonly string[]) => {
  const counts = Object.fromEntries(states.map((state) => [state, Type.Integer()]));
  return Type.Optional(Type.Object(counts, { description: ofExtra(name) }));
};

export const getFacets = route({
  summary: 'The number of releases that a filter finds, by the values of each part of the filter',
  query: Type.Object({
    ...filterFields,
    others: Type.Integer({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: '1: each list ignores its own part of the filter',
    }),
    include: include(extraFacets),
  }),
  response: Type.Object({
    systems: facet('system'),
    platforms: facet('platform'),
    regions: facet('region'),
    genres: facetList('genre'),
    years: facetList('year'),
    publishers: facetList('publisher'),
    library: facetStates('library', libraryStates),
    covers: facetStates('cover', coverStates),
  }),
  readsCredentials: true,
  failures: [unknownInclude, ...filterFailures],
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { responseCache, releases } = parts;
    const wanted = wantedFields(query.include, extraFacets);
    const extra = extraFacets.filter((name) => wanted.has(name));
    const countsLibrary = wanted.has('library');
    const filter = await readFilter(query, { parts, request, reply }, countsLibrary);
    const countFacets = async () => {
      const counting = query.others === 1 ? 'without-own' : 'with-own';
      return { body: toFacets(await releases.facets(filter, { counting, extra })) };
    };
    const isCacheable = dependsOnCatalogue(query) && !countsLibrary && !wanted.has('cover');
    return responseCache.respond(request, reply, countFacets, { isCacheable });
  },
});

function toFacets({ systems, platforms, regions, genres, years, publishers, ...states }: Facets) {
  const named = <Name extends string>(name: Name, list: readonly Facet[]) =>
    list.map((each) => ({ [name]: each.name, releases: each.releases }));
  return {
    systems: named('system', systems),
    platforms: named('platform', platforms),
    regions: named('region', regions),
    ...(genres && { genres: named('genre', genres) }),
    ...(years && { years: named('year', years) }),
    ...(publishers && { publishers: named('publisher', publishers) }),
    ...states,
  };
}

export const getLetters = route({
  summary: 'The position of each first character in the list that a filter finds',
  query: Type.Object({
    ...filterFields,
    order: Type.Unsafe<InitialOrder>({
      type: 'string',
      enum: initialOrders,
      default: 'name',
      description:
        'the order of the list; with `title`, each character is the first one by which that order sorts (extension)',
    }),
  }),
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
  failures: filterFailures,
  entityTag: 'read',
  async handle({ parts, query, request, reply }) {
    const { responseCache, releases } = parts;
    const filter = await readFilter(query, { parts, request, reply });
    const countInitials = async () => ({
      body: { items: await releases.initials(filter, query.order) },
    });
    const isCacheable = dependsOnCatalogue(query);
    return responseCache.respond(request, reply, countInitials, { isCacheable });
  },
});

/**
 * Template for one item of a list. It produces the same text as the serializer with the result of
 * `toListItem`.
 */
const listItemLayout = layout`{"id":${'id'},"system":${'system'},"name":${'name'},\
"region":${'region'},"serial":${'serial'},"cover":"/api/cover/${'id'}"}`;

/** Returns false if the filter depends on the library, the covers or a set. */
function dependsOnCatalogue({ library, cover, set }: FilterQuery): boolean {
  return library === '' && cover === '' && set === '';
}

/**
 * Returns the filter of a query. Throws `not authenticated` if a client without valid credentials
 * filters by library or by a set, or counts by library (`countsLibrary`). Throws `not found` for a
 * set that the user does not see.
 */
async function readFilter(
  query: FilterQuery,
  { parts, request, reply }: { parts: RouteParts; request: FastifyRequest; reply: FastifyReply },
  countsLibrary = false,
): Promise<ReleaseFilter> {
  const { set: named, ...filter } = query;
  const isPersonal = countsLibrary || query.library !== '' || named !== '';
  if (!isPersonal) return filter;
  reply.header('cache-control', 'private'); // also for the error response
  await requireRole(parts.accounts, 'user')(request);
  if (named === '') return filter;
  return { ...filter, set: await parts.sets.select(named, viewerOf(request)) };
}

/** Returns true if the request has valid credentials. */
export async function isSignedIn(accounts: Accounts, request: FastifyRequest): Promise<boolean> {
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
 * shall not reveal how the release is owned.
 */
export function toListItem(
  { id, system, name, region, serial, platform }: ReleaseItem & { platform: string },
  wanted: ReadonlySet<string>,
  tags: ReadonlyMap<number, string>,
  owned: ReadonlyMap<number, Ownership> | null = null,
) {
  return {
    id,
    system,
    name,
    region,
    serial,
    cover: `/api/cover/${id}`,
    ...(wanted.has('platform') && { platform }),
    ...(wanted.has('region') && { regions: regionsOf(region) }),
    ...(wanted.has('cover') && { cover_tag: tags.get(id) ?? null }),
    ...(owned && { owned: owned.get(id) ?? null }),
  };
}

function regionsOf(region: string): string[] {
  const regions = region.split(',').map((one) => one.trim());
  return regions.filter((one) => one !== '');
}
