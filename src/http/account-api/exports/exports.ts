import { Type } from 'typebox';
import type { OpenedSet } from '../../../core/exports/ports.ts';
import { invalidField, noSuchProfile } from '../../../core/shared/errors.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';
import { attachmentHeader } from '../../shared/files/content-disposition.ts';
import { sendPieces } from '../../shared/files/send-pieces.ts';
import { TextContent } from '../../shared/routes/route.ts';
import { viewerOf } from '../accounts/access.ts';
import { clampedLimit } from '../paging.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';
import type { RouteParts } from '../services.ts';
import { setFailures } from '../sets/set-failures.ts';

const zipType = 'application/zip';
const maxPathLength = 1_000;

const leftOutFile = Type.Object({
  platform: Type.String(),
  release: Type.String(),
  release_id: Type.Integer(),
  file: Type.String(),
  why: Type.String({ description: 'a sentence' }),
});

export const getLeftOut = route({
  summary: 'The files that an export of a set leaves out, with the reasons',
  params: Type.Object({ set_id: integerId, profile: Type.String() }),
  query: Type.Object({
    limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
    offset: Type.Integer({ default: 0, description: 'values below 0 become 0' }),
  }),
  response: Type.Object({
    set: Type.String(),
    profile: Type.String(),
    games: Type.Integer({ description: 'number of games that the export contains' }),
    not_in_library: Type.Integer({
      description: 'number of releases without a file in the library',
    }),
    total: Type.Integer({ description: 'number of files that are left out' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
    left_out: Type.Array(leftOutFile),
  }),
  failures: [...setFailures, noSuchProfile()],
  async handle({ parts, params: { set_id: id, profile }, query, request }) {
    const page = { limit: clampedLimit(query.limit), offset: Math.max(query.offset, 0) };
    const set = await openSet(parts, id, viewerOf(request));
    const { games, missing, total, items } = await parts.exports.leftOut({ set, profile }, page);
    return {
      ...{ set: set.name, profile, games, not_in_library: missing, total },
      ...page,
      left_out: items.map(({ platform, release, releaseId, file, why }) => {
        return { platform, release, release_id: releaseId, file, why };
      }),
    };
  },
});

async function openSet(
  { sets, releases }: Pick<RouteParts, 'sets' | 'releases'>,
  id: number,
  viewer: Viewer,
): Promise<OpenedSet> {
  const { name } = await sets.get(id, viewer);
  return releases.openSet(name, await sets.select(`${id}`, viewer));
}

export const exportSet = route({
  summary: 'A set for a device: metadata, playlists and pictures of its games, as a zip',
  params: Type.Object({ set_id: integerId, profile: Type.String() }),
  query: Type.Object({
    roms_path: Type.String({
      default: '',
      description: "the folder of all games on the device; the profile's by default",
    }),
  }),
  response: new TextContent(zipType, { isBinary: true }),
  failures: [...setFailures, noSuchProfile(), invalidField('roms_path', '<problem>')],
  async handle({ parts, params, query, request, reply }) {
    const { set_id: id, profile } = params;
    const { roms_path: romsPath } = query;
    if (romsPath.length > maxPathLength || /[\x00-\x1f]/.test(romsPath)) {
      throw invalidField('roms_path', 'must be a path of at most 1000 characters');
    }
    const set = await openSet(parts, id, viewerOf(request));
    const { name, bytes } = parts.exports.zip({ set, profile, romsPath });
    reply.header('content-disposition', attachmentHeader(name));
    return sendPieces(request, reply, bytes, zipType);
  },
});
