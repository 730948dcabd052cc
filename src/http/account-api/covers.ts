import { Type } from 'typebox';
import { contentTypes } from '../../core/covers/image-type.ts';
import { imageTooLarge, noCover, notFound } from '../../core/shared/errors.ts';
import { receiveFile } from '../shared/multipart.ts';
import { FileContent } from '../shared/route.ts';
import { imagePolicy } from '../shared/security-headers.ts';
import { sendFile } from '../shared/send-file.ts';
import { actorOf } from './access.ts';
import { route } from './route.ts';
import { integerId, Ok } from './schemas.ts';

const coverParams = Type.Object({ release_id: integerId });

export const getCover = route({
  summary: 'The cover of a release',
  params: coverParams,
  answer: new FileContent(Object.values(contentTypes), { isAttachment: false }),
  failures: [notFound(), noCover()],
  async handle({ parts: { covers, releases }, params: { release_id }, request, reply }) {
    await releases.mustExist(release_id);
    const { file, type } = await covers.open(release_id);
    // A browser may keep it, and asks each time whether it is still the same.
    reply.header('cache-control', 'no-cache').header('content-security-policy', imagePolicy);
    return sendFile(request, reply, file, { type: contentTypes[type] });
  },
});

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
