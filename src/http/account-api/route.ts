import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { JsonBody } from '../shared/json-body.ts';
import type { Access } from './access.ts';

/** What a feature's file says of one endpoint; `app.ts` adds its number, path and access. */
export interface Route {
  /** For the reference: what it does, in one line. */
  readonly summary: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** What it reads of a body: a JSON object, one uploaded file, or (absent) nothing. */
  readonly body?: JsonBody<TObject> | 'upload';
  /** The JSON of a 200, or the content types of its bytes. */
  readonly answer: TSchema | readonly string[];
  /** Further statuses with an error body. */
  readonly errors?: readonly number[];
  handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** One line of the endpoint table: number (none for an extension), method, path, access, endpoint. */
export type Endpoint = readonly [number | null, string, string, Access, Route];

/** Body bytes that were read before the handler runs. */
const bodies = new WeakMap<FastifyRequest, Buffer>();

export function keepBody(request: FastifyRequest, bytes: Buffer): void {
  bodies.set(request, bytes);
}

/** The request's JSON body; call it once it is known that the path's object exists. */
export function parseBody<T extends TObject>(
  request: FastifyRequest,
  body: JsonBody<T>,
): ReturnType<JsonBody<T>['parse']> {
  return body.parse(bodies.get(request) ?? Buffer.alloc(0));
}
