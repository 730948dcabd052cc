import { Type } from 'typebox';
import { invalidField, noSuchProfile } from '../../../core/shared/errors.ts';
import { attachmentHeader } from '../../shared/files/content-disposition.ts';
import { sendPieces } from '../../shared/files/send-pieces.ts';
import { TextContent } from '../../shared/routes/route.ts';
import { viewerOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';
import { setFailures } from '../sets/set-failures.ts';

const zipType = 'application/zip';
const maxPathLength = 1_000;

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
  async handle({ parts: { sets, releases, exports }, params, query, request, reply }) {
    const { set_id: id, profile } = params;
    const { roms_path: romsPath } = query;
    if (romsPath.length > maxPathLength || /[\x00-\x1f]/.test(romsPath)) {
      throw invalidField('roms_path', 'must be a path of at most 1000 characters');
    }
    const viewer = viewerOf(request);
    const { name: setName } = await sets.get(id, viewer);
    const set = releases.openSet(setName, await sets.select(`${id}`, viewer));
    const { name, bytes } = exports.zip({ set, profile, romsPath });
    reply.header('content-disposition', attachmentHeader(name));
    return sendPieces(request, reply, bytes, zipType);
  },
});
