import { Type } from 'typebox';
import type { Group } from '../../../core/groups/groups.ts';
import { maxMovedReleases } from '../../../core/groups/ports.ts';
import { inLibrary, type LibraryOwnership } from '../../../core/library/owned-releases.ts';
import { invalidField, notFound } from '../../../core/shared/errors.ts';
import { tagsOf } from '../../../core/shared/groups/group.ts';
import { actorOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';
import type { RouteParts } from '../services.ts';
import { isSignedIn } from './releases.ts';

const groupRelease = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  serial: Type.String(),
  disc: Type.Union([Type.Integer(), Type.Null()], { description: 'number of the disc in its set' }),
  edited: Type.Boolean({ description: 'true if an editor put it into this group' }),
  owned: Type.Optional(
    Type.Union([Type.String({ enum: [...inLibrary] }), Type.Null()], {
      description: 'for users: the strongest evidence that the library has it; null otherwise',
    }),
  ),
});

const edition = Type.Object({
  name: Type.String({ description: 'the name of its first disc, without the number of the disc' }),
  regions: Type.Array(Type.String()),
  languages: Type.Array(Type.String(), { description: 'codes such as `En` that the name states' }),
  revision: Type.String({ description: 'for example `Rev 1`; empty without one' }),
  tags: Type.Array(Type.String(), { description: 'kinds such as `Demo`, and the other labels' }),
  releases: Type.Array(groupRelease, { description: 'all its discs, in order' }),
});

const groupRecord = Type.Object({
  id: Type.Integer({ description: 'the smallest id of its releases' }),
  title: Type.String(),
  platform: Type.String(),
  editions: Type.Array(edition, { description: 'by name' }),
});

export const getGroup = route({
  summary: 'The group of a release: all editions of the game on its platform',
  params: Type.Object({ release_id: integerId }),
  response: groupRecord,
  readsCredentials: true,
  failures: [notFound()],
  async handle({ parts, params: { release_id }, request, reply }) {
    reply.header('cache-control', 'private, no-cache');
    const group = await parts.groups.get(release_id);
    return toGroup(parts, group, await isSignedIn(parts.accounts, request));
  },
});

const groupParams = Type.Object({ group_id: integerId });
const moved = Type.Object({
  release_ids: Type.Optional(
    Type.Array(Type.Integer(), { minItems: 1, maxItems: maxMovedReleases }),
  ),
});

export const joinGroup = route({
  summary: 'Put releases into a group',
  params: groupParams,
  body: moved,
  response: groupRecord,
  failures: [notFound()],
  async handle({ parts, params: { group_id }, body, request }) {
    await parts.releases.mustExist(group_id);
    const ids = required(body().release_ids);
    return toGroup(parts, await parts.groups.join(group_id, ids, actorOf(request)), true);
  },
});

export const splitGroup = route({
  summary: 'Put releases of a group into a group of their own',
  params: groupParams,
  body: moved,
  response: groupRecord,
  failures: [notFound()],
  async handle({ parts, params: { group_id }, body, request }) {
    await parts.releases.mustExist(group_id);
    const ids = required(body().release_ids);
    return toGroup(parts, await parts.groups.split(group_id, ids, actorOf(request)), true);
  },
});

function required(ids: readonly number[] | undefined): readonly number[] {
  if (ids === undefined) throw invalidField('release_ids', 'must be an array');
  return ids;
}

async function toGroup(
  { ownedReleases }: Pick<RouteParts, 'ownedReleases'>,
  { id, title, platform, editions, edited }: Group,
  showsOwned: boolean,
) {
  const ids = new Set(editions.flatMap(({ discs }) => discs.map(({ release }) => release.id)));
  const owned: ReadonlyMap<number, LibraryOwnership> = showsOwned
    ? await ownedReleases.findOwnership([...ids])
    : new Map();
  return {
    id,
    title,
    platform,
    editions: editions.map(({ name, traits, revision, discs }) => ({
      name,
      regions: traits.regions,
      languages: traits.languages,
      revision,
      tags: tagsOf(traits),
      releases: discs.map(({ release, disc }) => ({
        id: release.id,
        name: release.name,
        serial: release.serial,
        disc,
        edited: edited.has(release.id),
        ...(showsOwned && { owned: owned.get(release.id) ?? null }),
      })),
    })),
  };
}
