import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers a GET: what it returns is sent as JSON, unless it has sent something itself. */
export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Who may call: everybody, or whoever has the shared token. */
export type Access = 'open' | 'token';

/** One line of the endpoint table: number, path as minimal-api.md writes it, access, what answers. */
export type Endpoint = readonly [number, string, Access, Handle];
