import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaggedBytes } from './send-tagged.ts';

/** An answer that is kept to be sent again. */
export interface KeptAnswer extends TaggedBytes {
  /** Its whole head, once it was sent to somebody who asked for nothing special. */
  heads?: {
    readonly whole: string[];
    /** Of a 304. */
    readonly unchanged: string[];
    /** Which answers so, as the router writes it. */
    readonly route: string | undefined;
  };
}

/** Gives an answer its heads, as names and values in turn, by the reply that sends it. */
export function rememberHeads(
  answer: KeptAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { connection: _, 'content-type': type, 'content-length': __, ...rest } = reply.getHeaders();
  const unchanged = Object.entries(rest).flatMap(([name, value]) => [name, String(value)]);
  const length = String(answer.bytes.length);
  const whole = [...unchanged, 'content-type', String(type), 'content-length', length];
  answer.heads = { whole, unchanged, route: request.routeOptions.url };
}
