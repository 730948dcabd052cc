import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Headers of every response: no content sniffing, no framing, no `Referer` to other sites. HSTS and
 * `upgrade-insecure-requests` are missing, because everything works over plain HTTP on a home
 * network (docs/api/decisions.md).
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/**
 * `Content-Security-Policy` for untrusted uploaded bytes that a browser displays directly. No
 * content in these bytes may run.
 */
export const imagePolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** An `onRequest` hook that sets the security headers. A route may replace any of these headers. */
export function setSecurityHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.headers(securityHeaders);
  done();
}
