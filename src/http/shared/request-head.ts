import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, expectationFailed } from '../../core/shared/errors.ts';

const host = /^(\[[\da-f:.]+\]|[^\s/?#@\\:[\]]+)(:\d{0,5})?$/i;

/**
 * An `onRequest` hook. Throws `bad request` when HTTP/1.1 names no host, several, or none that can be read (RFC 9112,
 * 3.2), and `expectation failed` when it expects anything but `100-continue`.
 */
export function checkHead(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { expect = '100-continue' } = raw.headers;
  const isExpected = expect.toLowerCase() === '100-continue';
  if (namesOneHost(raw) && isExpected) return void done();
  reply.header('connection', 'close'); // what else the client takes for HTTP is not guessed
  done(isExpected ? badRequest() : expectationFailed());
}

/** Whether a request names one host that can be read; HTTP/1.0 need not name one. */
function namesOneHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1; // `headers` has only the first
  }
  if (count === 0) return httpVersion === '1.0';
  return count === 1 && isHost(headers.host ?? '');
}

/** Whether it is a name or address, an IPv6 address in brackets, with or without a port (RFC 9110, 7.2). */
export function isHost(text: string): boolean {
  return host.test(text);
}
