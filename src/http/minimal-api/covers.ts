import type { CoverFinder } from '../../core/covers/cover-finder.ts';
import type { Covers } from '../../core/covers/covers.ts';
import { contentTypes, imageTypeOf } from '../../core/covers/image-type.ts';
import type { Releases } from '../../core/releases/releases.ts';
import type { OpenedFile } from '../../core/shared/file-area.ts';
import { allowPauses } from '../shared/reader-pause.ts';
import { imagePolicy } from '../shared/security-headers.ts';
import { sendFile } from '../shared/send-file.ts';
import { pathId, pathName } from './query.ts';
import type { Handle } from './route.ts';

interface Parts {
  readonly coverFinder: Pick<CoverFinder, 'open'>;
  readonly releases: Releases;
}

export function getCover({ coverFinder, releases }: Parts): Handle {
  return async (request, reply) => {
    const id = pathId(request);
    await releases.mustExist(id);
    const { file } = await coverFinder.open(id);
    // A browser may keep it, and asks each time whether it is still the same.
    reply.header('cache-control', 'no-cache').header('content-security-policy', imagePolicy);
    return sendFile(request, reply, file, { type: await contentTypeOf(file) });
  };
}

export function downloadBundle(covers: Pick<Covers, 'openBundle'>): Handle {
  return async (request, reply) => {
    const name = pathName(request);
    const file = await covers.openBundle(name);
    allowPauses(request);
    reply.header('cache-control', 'no-cache');
    return sendFile(request, reply, file, { type: 'application/zip', attachment: name });
  };
}

/** By the bytes, whatever the file's name says; what is not JPEG is sent as PNG (minimal-api.md, endpoint 6). */
async function contentTypeOf(file: OpenedFile): Promise<string> {
  try {
    return imageTypeOf(await file.head(12)) === 'jpg' ? contentTypes.jpg : contentTypes.png;
  } catch (error) {
    await file.close();
    throw error;
  }
}
