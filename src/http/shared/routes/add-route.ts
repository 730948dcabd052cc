import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type TObject, Type } from 'typebox';
import { checkChunkType } from '../bodies/chunk-body.ts';
import { jsonBodyReader, readJsonBytes } from '../bodies/json-body.ts';
import { checkUploadType } from '../bodies/multipart.ts';
import { privateCacheControl, sendsFiles } from './cache-control.ts';
import { type IntegerRule, parameterReader, type RawParameters } from './parameters.ts';
import type { Route } from './route.ts';

/** The location of a route, and the checks for its callers. */
export interface RouteMount {
  readonly method: HTTPMethods;
  /** Path in the router's notation: `/api/users/:user_id`. */
  readonly url: string;
  /** Hooks that refuse callers without access. They run before any byte of the body is read. */
  readonly onRequest: readonly ((request: FastifyRequest) => Promise<void>)[];
  /** True if the route needs credentials. Shared caches must not store its responses. */
  readonly isPrivate: boolean;
  readonly integers: IntegerRule;
  /**
   * Schemas that serialize the responses, by status. Undefined if the API has its own
   * serialization.
   */
  readonly response?: Readonly<Record<number, object>>;
}

const emptySchema: TObject = Type.Object({});

/**
 * Adds one route. Its parsers are created once, here. The checks run in this order: access, the
 * body's type and size, the parameters, then the handler. The handler looks up the object before it
 * validates the body.
 */
export function addRoute<Parts>(
  app: FastifyInstance,
  parts: Parts,
  route: Route<Parts>,
  { method, url, onRequest, isPrivate, integers, response }: RouteMount,
): void {
  const { body = emptySchema } = route;
  const readParams = parameterReader(route.params ?? emptySchema, integers);
  const readQuery = parameterReader(route.query ?? emptySchema, integers);
  const readFields = jsonBodyReader(typeof body === 'string' ? emptySchema : body);
  const ignoresBody = route.body === undefined && method !== 'GET';
  app.route<{ Params: RawParameters; Querystring: RawParameters }>({
    method,
    url,
    ...(response && { schema: { response } }),
    onRequest: [
      ...(route.commonHeaders ? [setHeaders(route.commonHeaders)] : []),
      ...onRequest,
      ...(ignoresBody ? [ignoreBodyType] : []),
    ],
    onSend: isPrivate ? [privateCacheControl({ sendsFiles: sendsFiles(route) })] : [],
    async handler(request, reply) {
      const bytes = route.body === undefined ? noBytes : await readBody(request.raw, route.body);
      return route.handle({
        parts,
        params: readParams(request.params),
        query: readQuery(request.query, request.url),
        body: () => readFields(bytes),
        request,
        reply,
      });
    },
  });
}

/**
 * Returns a hook that sets response headers. The hook must run before all other hooks, so that
 * their error responses have the headers too.
 */
function setHeaders(headers: Readonly<Record<string, string>>) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers);
  };
}

/**
 * Removes the content type of a request whose body is not read. Otherwise, Fastify would refuse
 * content types that it does not know.
 */
async function ignoreBodyType({ raw }: FastifyRequest): Promise<void> {
  delete raw.headers['content-type'];
}

const noBytes = Buffer.alloc(0);

/**
 * Returns the bytes of a JSON body. For a file, only checks the headers and returns no bytes; the
 * handler reads the body.
 */
async function readBody(raw: IncomingMessage, body: TObject | 'upload' | 'chunk'): Promise<Buffer> {
  if (typeof body !== 'string') return readJsonBytes(raw);
  if (body === 'upload') checkUploadType(raw.headers);
  else checkChunkType(raw.headers);
  return noBytes;
}
