import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TaggedBytes } from '../send-tagged.ts';

/** An answer that is kept to be sent again. */
export interface KeptAnswer extends TaggedBytes {
  /** Once it was sent to somebody who asked for nothing special. */
  heads?: AnswerHeads;
}

/** A 200 that can be sent without its request being looked at any further. */
export interface ReadyResponse extends KeptAnswer {
  readonly heads: AnswerHeads;
}

/** The whole head of an answer, as names and values in turn. */
export interface AnswerHeads {
  readonly whole: string[];
  /** Of a 304. */
  readonly unchanged: string[];
  /** Which answers so, as the router writes it. */
  readonly route: string | undefined;
}

/** Header fields that say something of the bytes, and so are missing in a 304. */
const ofBytes = ['accept-ranges', 'content-type', 'content-length'];

/** Whether a request is one whose answer has the same head for everybody: that to another site names the site. */
export function hasCommonHead({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  return method === 'GET' && headers.origin === undefined && reply.statusCode === 200;
}

/** The heads of an answer of these bytes, by the reply that sends it. */
export function headsOf(bytes: Buffer, request: FastifyRequest, reply: FastifyReply): AnswerHeads {
  const { connection: _, ...fields } = reply.getHeaders();
  const all = Object.entries({ ...fields, 'content-length': bytes.length });
  const others = all.filter(([name]) => !ofBytes.includes(name));
  const [whole, unchanged] = [all, others].map((listed) =>
    listed.flatMap(([name, value]) => [name, String(value)]),
  ) as [string[], string[]];
  return { whole, unchanged, route: request.routeOptions.url };
}
