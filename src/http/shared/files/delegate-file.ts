import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedFile } from '../../../core/shared/files/file-area.ts';
import { parseRange } from './byte-range.ts';
import { attachmentHeader } from './content-disposition.ts';
import { decideResponse, modifiedMs } from './file-response.ts';
import { type SendFileOptions, sendFile } from './send-file.ts';

/**
 * The presentation of a file that another server may send. Such a file has a name to save it under.
 */
export interface DelegatedFile extends SendFileOptions {
  readonly attachment: string;
}

/**
 * Responds to GET with a 302 to a signed URL of the storage, from which the client downloads the
 * file. Responds to HEAD, and with 304 and 416, like `sendFile`. Sends the file itself if the
 * storage has no signed URLs. Always closes the file.
 */
export async function redirectToFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedFile,
  sending: DelegatedFile,
): Promise<FastifyReply> {
  let isSentHere = false;
  try {
    const sha256 = (await sending.sha256?.()) ?? null;
    const tags = sha256 === null ? [file.etag] : [`"${sha256}"`, file.etag];
    const { status } = decideResponse(request, file, tags);
    const isSentByStorage = request.method === 'GET' && (status === 200 || status === 206);
    if (!isSentByStorage || file.signedUrl === undefined) {
      isSentHere = true; // `sendFile` closes the file
      return await sendFile(request, reply, file, sending);
    }
    const { type, attachment } = sending;
    const url = await file.signedUrl({ type, disposition: attachmentHeader(attachment) });
    // The storage evaluates `If-Range` with its own entity tag. Therefore only `Range` decides here
    // whether a download begins.
    const range = parseRange(request.headers.range ?? '', file.size);
    if (range === 'whole' || (range !== 'unsatisfiable' && range.start === 0)) {
      await sending.onStart?.();
    }
    // Anyone with the URL can download the file, so caches must not store it.
    return reply.code(302).header('location', url).header('cache-control', 'no-store').send();
  } finally {
    if (!isSentHere) await file.close();
  }
}

/**
 * Responds to GET or HEAD with headers that make nginx send the file at `path` (X-Accel-Redirect,
 * in the documentation of ngx_http_proxy_module). nginx evaluates conditions and ranges. Always
 * closes the file.
 */
export async function accelerateFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedFile,
  { path, ...sending }: DelegatedFile & { readonly path: string },
): Promise<FastifyReply> {
  try {
    const decision = decideResponse(request, { ...file, etag: nginxEtag(file) });
    const begins =
      decision.status === 200 || (decision.status === 206 && decision.range.start === 0);
    if (request.method === 'GET' && begins) await sending.onStart?.();
    return reply
      .header('x-accel-redirect', path)
      .header('content-type', sending.type)
      .header('content-disposition', attachmentHeader(sending.attachment))
      .send();
  } finally {
    await file.close();
  }
}

/** Returns the entity tag that nginx gives a file: modification time and size in hexadecimal. */
function nginxEtag(file: OpenedFile): string {
  return `"${(modifiedMs(file) / 1000).toString(16)}-${file.size.toString(16)}"`;
}
