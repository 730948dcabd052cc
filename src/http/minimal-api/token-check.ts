import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unauthorized } from '../../core/shared/errors.ts';

/**
 * An `onRequest` hook that lets only those through who send the shared token, as `Bearer <token>` or bare
 * (minimal-api.md, Authentication). An empty token lets everybody through.
 */
export function requireToken(token: string) {
  // Node gives a header's bytes as Latin-1; a client may have written the token so or in UTF-8.
  const written = [token, Buffer.from(token).toString('latin1')];
  const accepted = written.flatMap((text) => [digest(text), digest(`Bearer ${text}`)]);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (token === '') return;
    // Node has trimmed it; doing so again as text would cut a UTF-8 byte that looks like a blank in Latin-1.
    const presented = digest(request.headers.authorization ?? '');
    // Every comparison is made, and each takes the same time whatever was sent.
    const hits = accepted.filter((one) => timingSafeEqual(one, presented));
    if (hits.length > 0) return;
    reply.header('www-authenticate', 'Bearer');
    throw unauthorized();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
