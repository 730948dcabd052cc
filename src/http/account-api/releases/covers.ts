import { Type } from 'typebox';
import { coverTag } from '../../../core/covers/cover-tag.ts';
import { contentTypes } from '../../../core/covers/image-type.ts';
import { maxThumbnailWidth, thumbnailWidths } from '../../../core/covers/thumbnail-sizes.ts';
import type { Thumbnail } from '../../../core/covers/thumbnails.ts';
import { imageTooLarge, noCover, notFound } from '../../../core/shared/errors.ts';
import { receiveFile } from '../../shared/bodies/multipart.ts';
import { sendFile } from '../../shared/files/send-file.ts';
import type { SmallFile } from '../../shared/files/small-file.ts';
import { immutable } from '../../shared/routes/cache-control.ts';
import { FileContent } from '../../shared/routes/route.ts';
import { imagePolicy } from '../../shared/server/security-headers.ts';
import { actorOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId, Ok } from '../schemas.ts';

const coverParams = Type.Object({ release_id: integerId });
const widths = new Intl.ListFormat('en-GB').format(thumbnailWidths.map(String));

export const getCover = route({
  summary: 'The cover of a release',
  params: coverParams,
  query: Type.Object({
    width: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxThumbnailWidth,
        description: `in pixels: returns WebP in the next larger width of ${widths}, never enlarged; absent for the stored bytes (extension)`,
      }),
    ),
    tag: Type.String({
      default: '',
      description:
        "the release's `cover_tag`: while it is current, browsers cache the response for a year (extension)",
    }),
  }),
  response: new FileContent(Object.values(contentTypes), { isAttachment: false }),
  failures: [notFound(), noCover()],
  async handle({ parts, params: { release_id: id }, query: { width, tag }, request, reply }) {
    const { covers, responseCache, releases } = parts;
    if (width !== undefined) {
      const make = async () => {
        await releases.mustExist(id);
        return toSmallFile(await covers.thumbnail(id, width), tag);
      };
      return responseCache.respondWithFile(request, reply, {
        fingerprint: () => covers.fingerprintSync(id),
        make,
      });
    }
    await releases.mustExist(id);
    const { file, type } = await covers.open(id);
    reply.headers(fieldsOf(coverTag(file), tag));
    return sendFile(request, reply, file, {
      type: contentTypes[type],
      sha256: () => covers.sha256Of(file),
    });
  },
});

function toSmallFile({ bytes, file, tag }: Thumbnail, requestedTag: string): SmallFile {
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    metadata: file,
    type: contentTypes.webp,
    headers: fieldsOf(tag, requestedTag),
  };
}

/**
 * Returns the headers of a cover whose current tag is `tag`. `requestedTag` is the tag in the
 * request's URL, which may be stale or "".
 */
function fieldsOf(tag: string, requestedTag: string) {
  return {
    // Unless the URL contains the current tag, a browser must revalidate its cached cover each
    // time.
    'cache-control': requestedTag === tag ? immutable : 'no-cache',
    'content-security-policy': imagePolicy,
  };
}

export const putCover = route({
  summary: 'Upload the cover of a release, replacing any',
  params: coverParams,
  body: 'upload',
  response: Type.Object({ ok: Type.Boolean(), url: Type.String() }),
  failures: [notFound(), imageTooLarge()],
  async handle({ parts: { covers, releases }, params: { release_id }, request }) {
    await releases.mustExist(release_id);
    const cover = await receiveFile(request.raw, {
      checkSize: (bytes) => covers.checkSpace(bytes),
      receive: (_name, bytes) => covers.stage(bytes),
      discard: (staged) => staged.file.discard(),
    });
    await covers.put(release_id, cover, actorOf(request));
    return { ok: true, url: `/api/cover/${release_id}` };
  },
});

export const removeCover = route({
  summary: 'Remove the cover of a release',
  params: coverParams,
  response: Ok,
  failures: [notFound()],
  async handle({ parts: { covers, releases }, params: { release_id }, request }) {
    await releases.mustExist(release_id);
    await covers.remove(release_id, actorOf(request));
    return { ok: true };
  },
});
