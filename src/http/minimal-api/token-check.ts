import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../../core/shared/errors.ts';

/**
 * Returns an `onRequest` hook that refuses requests without the shared token, sent as `Bearer
 * <token>` or bare (minimal-api.md, Authentication). If `token` is empty, no request is refused.
 */
export function requireToken(token: string) {
  // Node decodes headers as Latin-1; a client may have sent the token in Latin-1 or in UTF-8.
  const written = [token, Buffer.from(token).toString('latin1')];
  const accepted = written.flatMap((text) => [digest(text), digest(`Bearer ${text}`)]);
  return async (request: FastifyRequest): Promise<void> => {
    if (token === '') return;
    // Do not trim the header, which Node has already done. As Latin-1 text, a byte of a UTF-8
    // character may look like a space, and `trim` would remove it.
    const presented = digest(request.headers.authorization ?? '');
    // Make every comparison, each in constant time, so that the response time reveals nothing about
    // the token.
    const hits = accepted.filter((one) => timingSafeEqual(one, presented));
    if (hits.length === 0) throw unauthorized();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
