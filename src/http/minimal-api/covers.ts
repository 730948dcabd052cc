import { Type } from 'typebox';
import { contentTypes, imageTypeOf } from '../../core/covers/image-type.ts';
import { insufficientStorage, noCover, notFound } from '../../core/shared/errors.ts';
import type { OpenedFile } from '../../core/shared/files/file-area.ts';
import { sendFile } from '../shared/files/send-file.ts';
import { FileContent } from '../shared/routes/route.ts';
import { allowPauses } from '../shared/server/connections.ts';
import { imagePolicy } from '../shared/server/security-headers.ts';
import { route } from './route.ts';

export const getCover = route({
  summary: 'The cover of a release',
  params: Type.Object({ id: Type.Integer({ minimum: 0, description: 'digits only' }) }),
  response: new FileContent([contentTypes.jpg, contentTypes.png], { isAttachment: false }),
  // A cover that is fetched from the cover source is stored, which fails on a full disk.
  failures: [notFound(), noCover(), insufficientStorage()],
  async handle({ parts: { covers, coverSearch, releases }, params: { id }, request, reply }) {
    await releases.mustExist(id);
    const { file } = await coverSearch.openOrFetch(id);
    // A browser may cache the cover, but must revalidate it before each use.
    reply.header('cache-control', 'no-cache').header('content-security-policy', imagePolicy);
    return sendFile(request, reply, file, {
      type: await contentTypeOf(file),
      sha256: () => covers.sha256Of(file),
    });
  },
});

export const downloadBundle = route({
  summary: 'Download a bundle of covers',
  params: Type.Object({
    name: Type.String({
      pattern: '^[A-Za-z0-9_.-]+$',
      description: 'the file name without `.zip`',
    }),
  }),
  response: new FileContent(['application/zip'], { isAttachment: true }),
  failures: [notFound()],
  async handle({ parts: { covers }, params: { name }, request, reply }) {
    const file = await covers.openBundle(name);
    allowPauses(request);
    reply.header('cache-control', 'no-cache');
    return sendFile(request, reply, file, {
      type: 'application/zip',
      attachment: name,
      sha256: () => covers.sha256Of(file),
    });
  },
});

/**
 * Returns the content type of a cover, detected from the file's bytes and not from its name.
 * Anything but JPEG is sent as PNG (minimal-api.md, endpoint 6). Closes the file if reading fails.
 */
async function contentTypeOf(file: OpenedFile): Promise<string> {
  try {
    return imageTypeOf(await file.head(12)) === 'jpg' ? contentTypes.jpg : contentTypes.png;
  } catch (error) {
    await file.close();
    throw error;
  }
}
