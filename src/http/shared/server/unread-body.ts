import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

/**
 * An `onSend` hook for responses that are sent before the request's body was read (401, 413, ...).
 * The connection must be closed after such a response. If it were closed while the client still
 * sends, the client would lose the response. Therefore the hook reads and discards the rest of the
 * body after sending the response, up to 32 MiB or 10 s.
 */
export function discardUnreadBody(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const { raw } = request;
  const isRead = !hasBody(raw) || raw.complete || raw.destroyed;
  if (isRead) done(null, payload);
  else void withRestDiscarded(request, reply, payload).then((rest) => done(null, rest));
}

async function withRestDiscarded(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { raw } = request;
  await setImmediate(); // a small body may have arrived in the same packet
  if (raw.complete || raw.destroyed) return payload;
  reply.header('connection', 'close');
  const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
  if (!isText || request.method === 'HEAD') return payload;
  reply.header('content-length', Buffer.byteLength(payload));
  return Readable.from(respondThenDiscard(payload, raw), { objectMode: false });
}

/** Returns true if the headers of an HTTP/1.1 request announce a body (RFC 9112, 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

async function* respondThenDiscard(payload: string | Buffer, raw: IncomingMessage) {
  yield payload;
  await discardRest(raw);
}

function discardRest(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let discarded = 0;
    const timer = setTimeout(stop, TIMEOUT_MS);
    function count(chunk: Buffer): void {
      discarded += chunk.byteLength;
      if (discarded > MAX_BYTES) stop();
    }
    function stop(): void {
      clearTimeout(timer);
      raw.off('data', count).off('end', stop).off('close', stop).pause();
      resolve();
    }
    raw.on('error', () => {}); // the client left; `close` follows
    raw.on('data', count).once('end', stop).once('close', stop);
    raw.resume();
    if (raw.destroyed || raw.readableEnded) stop();
  });
}
