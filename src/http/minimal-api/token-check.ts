import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../../core/shared/errors.ts';

/**
 * Returns an `onRequest` hook that refuses requests without the shared token. The header contains
 * the token as `Bearer <token>` or bare (minimal-api.md, Authentication). If `token` is empty, no
 * request is refused.
 */
export function requireToken(token: string) {
  // Node decodes headers as Latin-1, but a client may have encoded the token in Latin-1 or in
  // UTF-8.
  const written = [token, Buffer.from(token).toString('latin1')];
  const accepted = written.flatMap((text) => [digest(text), digest(`Bearer ${text}`)]);
  return async (request: FastifyRequest): Promise<void> => {
    if (token === '') return;
    // Do not trim the header; Node has already done that. `trim` could also remove a byte of a
    // UTF-8 character, because as Latin-1 text the byte may look like a space.
    const presented = digest(request.headers.authorization ?? '');
    // Always make every comparison, each in constant time, so that the response time reveals
    // nothing about the token.
    const hits = accepted.filter((one) => timingSafeEqual(one, presented));
    if (hits.length === 0) throw unauthorized();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
