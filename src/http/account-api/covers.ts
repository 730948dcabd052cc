import { Type } from 'typebox';
import type { Covers } from '../../core/covers/covers.ts';
import { contentTypes } from '../../core/covers/image-type.ts';
import type { Releases } from '../../core/releases/releases.ts';
import { imageTooLarge } from '../../core/shared/errors.ts';
import { receiveFile } from '../shared/multipart.ts';
import { imagePolicy } from '../shared/security-headers.ts';
import { sendFile } from '../shared/send-file.ts';
import { actorOf } from './access.ts';
import type { Route } from './route.ts';
import { integerId, Ok } from './schemas.ts';

const coverParams = Type.Object({ release_id: integerId });

interface Parts {
  readonly covers: Covers;
  readonly releases: Releases;
}

export function getCover({ covers, releases }: Parts): Route {
  return {
    summary: 'The cover of a release',
    params: coverParams,
    answer: Object.values(contentTypes),
    errors: [404],
    async handle(request, reply) {
      const { release_id } = request.params as Type.Static<typeof coverParams>;
      await releases.mustExist(release_id);
      const { file, type } = await covers.open(release_id);
      // A browser may keep it, and asks each time whether it is still the same.
      reply.header('cache-control', 'no-cache').header('content-security-policy', imagePolicy);
      return sendFile(request, reply, file, { type: contentTypes[type] });
    },
  };
}

export function putCover({ covers, releases }: Parts): Route {
  return {
    summary: 'Upload the cover of a release, replacing any',
    params: coverParams,
    body: 'upload',
    answer: Type.Object({ ok: Type.Boolean(), url: Type.String() }),
    errors: [400, 404],
    async handle(request) {
      const { release_id } = request.params as Type.Static<typeof coverParams>;
      await releases.mustExist(release_id);
      const { taken } = await receiveFile(request.raw, {
        onTooLarge: imageTooLarge,
        take: (_name, bytes) => covers.stage(bytes),
        drop: (cover) => cover.file.discard(),
      });
      await covers.put(release_id, taken, actorOf(request));
      return { ok: true, url: `/api/cover/${release_id}` };
    },
  };
}

export function removeCover({ covers, releases }: Parts): Route {
  return {
    summary: 'Remove the cover of a release',
    params: coverParams,
    answer: Ok,
    errors: [404],
    async handle(request) {
      const { release_id } = request.params as Type.Static<typeof coverParams>;
      await releases.mustExist(release_id);
      await covers.remove(release_id, actorOf(request));
      return { ok: true };
    },
  };
}
