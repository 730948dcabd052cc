import { finished, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeNotSatisfiable } from '../../../core/shared/errors.ts';
import type { OpenedFile } from '../../../core/shared/files/file-area.ts';
import type { ByteRange } from './byte-range.ts';
import { attachmentHeader } from './content-disposition.ts';
import { FileBody } from './file-body.ts';
import { decideResponse, modifiedMs } from './file-response.ts';
import { httpDate } from './http-date.ts';

/** How a file is presented, and the callback for its download. */
export interface SendFileOptions {
  /** Content type. */
  readonly type: string;
  /** Name to save the file under. Without a name, a browser shows the file. */
  readonly attachment?: string;
  /**
   * Returns the SHA-256 of the file's content. The entity tag of the response is then this hash,
   * which is the same in every storage. Without this callback, or if it returns null, the tag is
   * that of the file's area.
   */
  readonly sha256?: () => Promise<string | null>;
  /**
   * Called before the first byte of a download, and awaited. A download is a 200 response, or a 206
   * response that begins at byte 0. Not called for HEAD.
   */
  readonly onStart?: () => void | Promise<void>;
}

/**
 * Responds to GET or HEAD with a file. Supports validators, 304 and one range (206). Always closes
 * the file. Throws `range not satisfiable` with `Content-Range` already set on the reply.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedFile,
  sending: SendFileOptions,
): Promise<FastifyReply> {
  let isSent = false;
  try {
    const sha256 = (await sending.sha256?.()) ?? null;
    const etag = sha256 === null ? file.etag : `"${sha256}"`;
    // The tag of the area identifies the same version. A client may know it from an earlier
    // response.
    const decision = decideResponse(request, file, [etag, file.etag]);
    if (decision.status === 416) {
      reply.header('content-range', `bytes */${file.size}`);
      throw rangeNotSatisfiable(file.size);
    }
    const range = decision.status === 206 ? decision.range : { start: 0, end: file.size - 1 };
    const hasBody = decision.status !== 304 && request.method !== 'HEAD';
    if (hasBody && range.start === 0) await sending.onStart?.();
    setValidators(reply.code(decision.status), file, etag);
    if (decision.status !== 304) setContent(reply, file, sending, range);
    // Send an empty stream. On Fastify's own HEAD routes and on other routes, this leaves the
    // Content-Length unchanged.
    if (!hasBody) return reply.send(Readable.from([]));
    const body = bodyUntilClosed(reply, file, range);
    isSent = true;
    return reply.send(body);
  } finally {
    if (!isSent) await file.close();
  }
}

function setValidators(reply: FastifyReply, file: OpenedFile, etag: string): void {
  const modified = Math.min(modifiedMs(file), Date.now()); // not in the future (RFC 9110, 8.8.2.1)
  reply.header('etag', etag).header('last-modified', httpDate(modified));
}

function setContent(
  reply: FastifyReply,
  file: OpenedFile,
  sending: SendFileOptions,
  { start, end }: ByteRange,
): void {
  reply.header('accept-ranges', 'bytes').header('content-type', sending.type);
  if (sending.attachment !== undefined) {
    reply.header('content-disposition', attachmentHeader(sending.attachment));
  }
  reply.header('content-length', end - start + 1);
  if (reply.statusCode === 206) reply.header('content-range', `bytes ${start}-${end}/${file.size}`);
}

/**
 * Returns a body that is destroyed when the response ends or its connection closes, even if Fastify
 * never pipes the body.
 */
function bodyUntilClosed(reply: FastifyReply, file: OpenedFile, range: ByteRange): Readable {
  const body = new FileBody(file, range);
  finished(reply.raw, () => body.destroy());
  return body;
}
