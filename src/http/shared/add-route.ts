import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { type TObject, Type } from 'typebox';
import { checkChunkType } from './chunk-body.ts';
import { jsonBodyReader, readJsonBytes } from './json-body.ts';
import { keepFromOthers, sendsFiles } from './keep-from-others.ts';
import { checkUploadType } from './multipart-type.ts';
import { type GivenParameters, type IntegerRule, parameterReader } from './parameters.ts';
import type { Route } from './route.ts';

/** Where a route is found, and by whom. */
export interface Mounting {
  readonly method: HTTPMethods;
  /** As the router writes it: `/api/users/:user_id`. */
  readonly url: string;
  /** Hooks that refuse who may not call it, before a byte of the body is read. */
  readonly onRequest: readonly ((request: FastifyRequest) => Promise<void>)[];
  /** Whether it needs credentials, so that caches which serve others may not store what it answers. */
  readonly isPrivate: boolean;
  readonly integers: IntegerRule;
  /** Schemas that write the answers by their status, where an API has no writing of its own. */
  readonly response?: Readonly<Record<number, object>>;
}

const none: TObject = Type.Object({});

/**
 * Adds one route. Its parsers are made here, once. The order of checks: access, the body's type and size, the parameters,
 * then the handler, which looks up the object before it validates the body.
 */
export function addRoute<Parts>(
  app: FastifyInstance,
  parts: Parts,
  route: Route<Parts>,
  { method, url, onRequest, isPrivate, integers, response }: Mounting,
): void {
  const { body = none } = route;
  const readParams = parameterReader(route.params ?? none, integers);
  const readQuery = parameterReader(route.query ?? none, integers);
  const readFields = jsonBodyReader(typeof body === 'string' ? none : body);
  const ignoresBody = route.body === undefined && method !== 'GET';
  app.route<{ Params: GivenParameters; Querystring: GivenParameters }>({
    method,
    url,
    ...(response && { schema: { response } }),
    onRequest: [
      ...(route.everyAnswer ? [setHeaders(route.everyAnswer)] : []),
      ...onRequest,
      ...(ignoresBody ? [ignoreBodyType] : []),
    ],
    onSend: isPrivate ? [keepFromOthers({ sendsFiles: sendsFiles(route) })] : [],
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

/** A hook before all others, so that refusals have them too. */
function setHeaders(headers: Readonly<Record<string, string>>) {
  return async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(headers);
  };
}

/** A body that is not read is not refused either; Fastify would refuse a content type that it cannot parse. */
async function ignoreBodyType({ raw }: FastifyRequest): Promise<void> {
  delete raw.headers['content-type'];
}

const noBytes = Buffer.alloc(0);

/** The bytes of a JSON body; those of files are left to the handler. */
async function readBody(raw: IncomingMessage, body: TObject | 'upload' | 'chunk'): Promise<Buffer> {
  if (typeof body !== 'string') return readJsonBytes(raw);
  if (body === 'upload') checkUploadType(raw.headers);
  else checkChunkType(raw.headers);
  return noBytes;
}
