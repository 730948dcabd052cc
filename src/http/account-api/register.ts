import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { readJsonBytes } from '../shared/json-body.ts';
import { checkUploadType } from '../shared/multipart-type.ts';
import { type Access, requireRole } from './access.ts';
import { type Endpoint, keepBody, type Route } from './route.ts';
import { fileUpload } from './schemas.ts';

/** Adds the endpoints: who may call (before a body is read), then the body's kind, parameters, and the handler. */
export function addRoutes(
  app: FastifyInstance,
  parts: { accounts: Accounts },
  endpoints: readonly Endpoint[],
): void {
  for (const [number, method, url, access, route] of endpoints) {
    app.route({
      method: method as HTTPMethods,
      url,
      schema: {
        operationId: operationId(method, url),
        tags: url.split('/').slice(2, 3),
        ...reference(number, access, route),
        ...schemasOf(route),
      },
      onRequest: access === 'open' ? [] : [requireRole(parts.accounts, access)],
      preValidation: [bodyReader(route)],
      handler: (request, reply) => route.handle(request, reply),
    });
  }
}

function bodyReader(route: Route) {
  return async (request: FastifyRequest): Promise<void> => {
    if (route.body === undefined) return;
    if (route.body === 'upload') checkUploadType(request.headers);
    else keepBody(request, await readJsonBytes(request.raw));
  };
}

/** `GET /api/users/:user_id/tokens` becomes `getUsersUserIdTokens`, a name for generated clients. */
function operationId(method: string, url: string): string {
  const words = url
    .replace('/api', '')
    .split(/[^a-z]+/i)
    .filter(Boolean);
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitals.join('');
}

/** What only the OpenAPI document needs. */
function reference(number: number | null, access: Access, route: Route) {
  const origin = number === null ? 'an extension' : `endpoint ${number}`;
  const callers =
    access === 'open' ? 'everybody' : `role ${access}${access === 'admin' ? '' : ' or higher'}`;
  return {
    summary: route.summary,
    description: `${origin}; for ${callers}`,
    security: access === 'open' ? [] : [{ token: [] }, { cookie: [] }],
    ...(route.body === 'upload' && { consumes: ['multipart/form-data'] }),
  };
}

function schemasOf(route: Route) {
  const body = route.body === 'upload' ? fileUpload : route.body?.schema;
  return {
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    ...(body && { body }),
    response: { 200: answerOf(route), ...errorsOf(route) },
  };
}

function answerOf({ answer, summary }: Route) {
  if (!Array.isArray(answer)) return { description: summary, ...answer };
  const bytes = { schema: { type: 'string', format: 'binary' } };
  return {
    description: summary,
    content: Object.fromEntries(answer.map((type: string) => [type, bytes])),
  };
}

function errorsOf(route: Route) {
  const statuses = [...(route.errors ?? []), ...(route.body ? [413, 415] : [])];
  const error = { description: 'refused', $ref: 'Error#' };
  return Object.fromEntries([...statuses, '4xx', '5xx'].map((status) => [status, error]));
}
