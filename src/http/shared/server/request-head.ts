import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, expectationFailed } from '../../../core/shared/errors.ts';

const host = /^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d{0,5})?$/i;

/**
 * An `onRequest` hook. Throws `bad request` unless the request names exactly one valid host (RFC
 * 9112, 3.2); an HTTP/1.0 request may name none. Throws `expectation failed` if the request expects
 * anything but `100-continue`.
 */
export function checkHead(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { expect = '100-continue' } = raw.headers;
  const isExpected = expect.toLowerCase() === '100-continue';
  if (hasSingleHost(raw) && isExpected) return void done();
  reply.header('connection', 'close'); // the client may misread HTTP in other ways too
  done(isExpected ? badRequest() : expectationFailed());
}

/**
 * Returns true if a request names exactly one valid host. An HTTP/1.0 request may also name none.
 */
function hasSingleHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1; // `headers` keeps only one
  }
  if (count === 0) return httpVersion === '1.0';
  return count === 1 && isHost(headers.host ?? '');
}

/**
 * Returns true if a text is a valid host (RFC 9110, 7.2): a name, an address or an IPv6 address in
 * brackets. A port may follow.
 */
export function isHost(text: string): boolean {
  return host.test(text);
}
