import type { IncomingMessage } from 'node:http';
import { badRequest, bodyTooLarge, unsupportedMediaType } from '../../core/shared/errors.ts';
import { isIdentityEncoding } from '../shared/bodies/json-body.ts';

/** Maximum size of the body of a PROPFIND, in bytes. */
const maxBytes = 65_536;
const timeoutMs = 30_000;

/**
 * Returns the body of a request as text. Throws `unsupported media type` for any content encoding,
 * `body too large` for more than 64 KiB, and `bad request` for text that is not UTF-8.
 */
export async function readXmlBody(raw: IncomingMessage): Promise<string> {
  if (!isIdentityEncoding(raw.headers['content-encoding'])) throw unsupportedMediaType();
  const timer = setTimeout(() => raw.destroy(), timeoutMs);
  try {
    const pieces: Buffer[] = [];
    let size = 0;
    // Without `destroyOnReturn`, the connection stays open for the response.
    for await (const piece of raw.iterator({ destroyOnReturn: false })) {
      size += piece.byteLength;
      if (size > maxBytes) throw bodyTooLarge();
      pieces.push(piece);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch (error) {
    if (error instanceof TypeError) throw badRequest();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
