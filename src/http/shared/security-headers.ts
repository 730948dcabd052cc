import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Headers of every response: no content sniffing, no framing, no `Referer` to other sites. There is
 * no HSTS and no `upgrade-insecure-requests`, because everything works over plain HTTP on a home
 * network (decisions.md).
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/** Policy for untrusted uploaded bytes that a browser shows in place: nothing in them may run. */
export const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** An `onRequest` hook; headers that a route sets itself are kept. */
export function setSecurityHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.headers(securityHeaders);
  done();
}
