import { Type } from 'typebox';
import { coverTag } from '../../core/covers/cover-tag.ts';
import type { Covers } from '../../core/covers/covers.ts';
import { contentTypes } from '../../core/covers/image-type.ts';
import { imageTooLarge, noCover, notFound } from '../../core/shared/errors.ts';
import { bytesFile } from '../shared/bytes-file.ts';
import { receiveFile } from '../shared/multipart.ts';
import { FileContent } from '../shared/route.ts';
import { imagePolicy } from '../shared/security-headers.ts';
import { sendFile } from '../shared/send-file.ts';
import { actorOf } from './access.ts';
import { route } from './route.ts';
import { integerId, Ok } from './schemas.ts';

const coverParams = Type.Object({ release_id: integerId });

/** Not `public`: where readers have to sign in, no cache that they share may keep it. */
const immutable = 'private, max-age=31536000, immutable';

export const getCover = route({
  summary: 'The cover of a release',
  params: coverParams,
  query: Type.Object({
    width: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 640,
        description:
          'pixels: as WebP in the next larger of 160, 320 and 640, never enlarged; absent for the stored bytes (extension)',
      }),
    ),
    tag: Type.String({
      default: '',
      description:
        "the release's `cover_tag`: while it is that, browsers keep the answer for a year (extension)",
    }),
  }),
  answer: new FileContent(Object.values(contentTypes), { isAttachment: false }),
  failures: [notFound(), noCover()],
  async handle({ parts: { covers, releases }, params: { release_id }, query, request, reply }) {
    await releases.mustExist(release_id);
    const { file, type, tag } = await openCover(covers, release_id, query.width);
    // Without its tag a browser may keep it too, and asks each time whether it is still the same.
    reply.header('cache-control', query.tag === tag ? immutable : 'no-cache');
    reply.header('content-security-policy', imagePolicy);
    return sendFile(request, reply, file, { type });
  },
});

async function openCover(covers: Covers, releaseId: number, width: number | undefined) {
  if (width === undefined) {
    const { file, type } = await covers.open(releaseId);
    return { file, type: contentTypes[type], tag: coverTag(file) };
  }
  const { bytes, file, tag } = await covers.thumbnail(releaseId, width);
  return { file: bytesFile(bytes, file), type: contentTypes.webp, tag };
}

export const putCover = route({
  summary: 'Upload the cover of a release, replacing any',
  params: coverParams,
  body: 'upload',
  answer: Type.Object({ ok: Type.Boolean(), url: Type.String() }),
  failures: [notFound(), imageTooLarge()],
  async handle({ parts: { covers, releases }, params: { release_id }, request }) {
    await releases.mustExist(release_id);
    const cover = await receiveFile(request.raw, {
      take: (_name, bytes) => covers.stage(bytes),
      drop: (staged) => staged.file.discard(),
    });
    await covers.put(release_id, cover, actorOf(request));
    return { ok: true, url: `/api/cover/${release_id}` };
  },
});

export const removeCover = route({
  summary: 'Remove the cover of a release',
  params: coverParams,
  answer: Ok,
  failures: [notFound()],
  async handle({ parts: { covers, releases }, params: { release_id }, request }) {
    await releases.mustExist(release_id);
    await covers.remove(release_id, actorOf(request));
    return { ok: true };
  },
});
