import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../../core/shared/errors.ts';

/**
 * Returns an `onRequest` hook that refuses requests without the shared token, sent as `Bearer
 * <token>` or bare (minimal-api.md, Authentication). With an empty token it refuses none.
 */
export function requireToken(token: string) {
  // Node decodes headers as Latin-1; a client may have sent the token in Latin-1 or in UTF-8.
  const written = [token, Buffer.from(token).toString('latin1')];
  const accepted = written.flatMap((text) => [digest(text), digest(`Bearer ${text}`)]);
  return async (request: FastifyRequest): Promise<void> => {
    if (token === '') return;
    // Node has trimmed it. Trimming it again as text would cut a UTF-8 byte that looks like a space
    // in Latin-1.
    const presented = digest(request.headers.authorization ?? '');
    // Every comparison is made, and each takes the same time whatever was sent.
    const hits = accepted.filter((one) => timingSafeEqual(one, presented));
    if (hits.length === 0) throw unauthorized();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
