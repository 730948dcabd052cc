import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaggedBytes } from './send-tagged.ts';

/** An answer that is kept to be sent again. */
export interface KeptAnswer extends TaggedBytes {
  /** Of what shows more than the revision tells: whether that is still what it was, told at once. */
  readonly isCurrent?: () => boolean;
  /** Its whole head, once it was sent to somebody who asked for nothing special. */
  heads?: {
    readonly whole: string[];
    /** Of a 304. */
    readonly unchanged: string[];
    /** Which answers so, as the router writes it. */
    readonly route: string | undefined;
  };
}

/** Header fields that say something of the bytes, and so are missing in a 304. */
const ofBytes = ['accept-ranges', 'content-type', 'content-length'];

/** Gives an answer its heads, as names and values in turn, by the reply that sends it. */
export function rememberHeads(
  answer: KeptAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { connection: _, ...fields } = reply.getHeaders();
  const all = Object.entries({ ...fields, 'content-length': answer.bytes.length });
  const [unchanged, rest] = [false, true].map((isOfBytes) =>
    all.flatMap(([name, value]) =>
      ofBytes.includes(name) === isOfBytes ? [name, String(value)] : [],
    ),
  ) as [string[], string[]];
  answer.heads = { whole: [...unchanged, ...rest], unchanged, route: request.routeOptions.url };
}
