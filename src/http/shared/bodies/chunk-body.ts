import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { unsupportedMediaType } from '../../../core/shared/errors.ts';
import { countStreamedBytes } from '../../../memory/collect-garbage.ts';
import { endSlowUpload } from '../server/end-slow-upload.ts';
import { isIdentityEncoding } from './json-body.ts';

/** The content type of a chunk (tus 1.0.0, PATCH). */
export const chunkType = 'application/offset+octet-stream';

/** Throws a 415 if the headers of a request do not announce a plain chunk as its body. */
export function checkChunkType(headers: IncomingHttpHeaders): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isChunk = type.trim().toLowerCase() === chunkType;
  if (!isChunk || !isIdentityEncoding(headers['content-encoding'])) throw unsupportedMediaType();
}

/**
 * Returns the bytes of a body that was not read yet. If the client leaves, the bytes end early
 * without an error. After their end, `isWhole` returns true if the body was complete.
 */
export function chunkBody(raw: IncomingMessage): {
  bytes: AsyncIterable<Uint8Array>;
  length: number | null;
  isWhole(): boolean;
} {
  const announced = raw.headers['content-length'];
  return {
    bytes: bytesOf(raw),
    length: announced === undefined ? null : Number(announced),
    isWhole: () => raw.complete,
  };
}

async function* bytesOf(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  const stopWatching = endSlowUpload(raw);
  try {
    for await (const piece of raw.iterator({ destroyOnReturn: false })) {
      yield piece;
      countStreamedBytes(piece.byteLength);
    }
  } catch {
    // The client left or was too slow; a request fails for no other reason. Therefore the bytes end
    // here.
  } finally {
    stopWatching();
  }
}
