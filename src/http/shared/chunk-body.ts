import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { unsupportedMediaType } from '../../core/shared/errors.ts';
import { endSlowUpload } from './end-slow-upload.ts';
import { PassedPieces } from './free-memory.ts';
import { isIdentity } from './json-body.ts';

/** The content type of a chunk (tus 1.0.0, PATCH). */
export const chunkType = 'application/offset+octet-stream';

/** Refuses, with 415, a request whose headers do not say that its body is a plain chunk. */
export function checkChunkType(headers: IncomingHttpHeaders): void {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const isChunk = type.trim().toLowerCase() === chunkType;
  if (!isChunk || !isIdentity(headers['content-encoding'])) throw unsupportedMediaType();
}

/**
 * Returns the bytes of an unread body. They end early if the client leaves; afterwards `isWhole`
 * tells whether the body was complete.
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
  const passed = new PassedPieces();
  const stopWatching = endSlowUpload(raw);
  try {
    for await (const piece of raw.iterator({ destroyOnReturn: false })) {
      yield piece;
      passed.note(piece.byteLength);
    }
  } catch {
    // the client left, or was too slow: nothing else makes a request fail
  } finally {
    stopWatching();
  }
}
