import type {
  FastifyInstance,
  FastifyReply,
  LightMyRequestResponse,
  onRequestAsyncHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import { notFound, rangeNotSatisfiable } from '../../core/shared/errors.ts';
import { isNormalizedPath } from '../page/serve-page.ts';
import { privateCacheControl } from '../shared/routes/cache-control.ts';
import type { OpenApiDocument } from '../shared/routes/openapi.ts';

/** Paths below `/api/docs` that the page's library serves. */
const documentPaths = [
  '',
  '/',
  '/json',
  '/yaml',
  '/static/index.html',
  '/static/swagger-initializer.js',
  '/static/*',
];
/** Request headers that are passed on to the page's app, which needs no other headers. */
const forwardedHeaders = ['if-none-match', 'if-modified-since', 'if-range', 'range'];
/** Response headers that the outer server sets itself. */
const omittedHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/**
 * Serves the OpenAPI document at `/api/openapi.json`, and a page that shows the document at
 * `/api/docs`. The page loads nothing from other servers.
 * - `onRequest`: hooks that run for the document and the page.
 * - `isPrivate`: true if shared caches must not store the responses.
 * - `basePath`: the server's path prefix; "" for the root.
 *
 * The page's libraries are loaded on the first request, so that startup stays fast.
 */
export async function serveReference(
  app: FastifyInstance,
  document: OpenApiDocument,
  {
    onRequest,
    isPrivate,
    basePath,
  }: { onRequest: readonly onRequestAsyncHookHandler[]; isPrivate: boolean; basePath: string },
): Promise<void> {
  const text = JSON.stringify(document);
  let page: Promise<FastifyInstance> | undefined;
  const openPage = async () => {
    const { createReferencePage } = await import('./reference-page.ts');
    return createReferencePage(JSON.parse(text), basePath);
  };
  await app.register(async (scope) => {
    for (const hook of onRequest) scope.addHook('onRequest', hook);
    const hooks = (sendsFiles: boolean) =>
      isPrivate ? { onSend: privateCacheControl({ sendsFiles }) } : {};
    scope.get('/api/openapi.json', hooks(false), async (_request, reply) => {
      return reply.type('application/json; charset=utf-8').send(text);
    });
    const forwardToPage: RouteHandlerMethod = async (request, reply) => {
      // The page's library would resolve `..`, so refuse such a path.
      if (!isNormalizedPath(request.url.split('?')[0] ?? '')) throw notFound();
      page ??= openPage();
      const forwarded = forwardedHeaders.map((name) => [name, request.headers[name]]);
      const headers = Object.fromEntries(forwarded.filter(([, value]) => value !== undefined));
      const response = await (await page).inject({ method: 'GET', url: request.url, headers });
      if (response.statusCode >= 400) throw toError(response, reply);
      const isEmpty = response.rawPayload.length === 0;
      for (const [name, value] of Object.entries(response.headers)) {
        if (value !== undefined && !omittedHeaders.has(name)) reply.header(name, value);
      }
      return reply.code(response.statusCode).send(isEmpty ? undefined : response.rawPayload);
    };
    for (const place of documentPaths)
      scope.get(`/api/docs${place}`, hooks(place !== '/json'), forwardToPage);
  });
}

/**
 * Converts an error response of the page's library into an error of this API, because the library
 * has its own error format.
 */
function toError({ statusCode, headers, payload }: LightMyRequestResponse, reply: FastifyReply) {
  if (statusCode >= 500) return new Error(`the reference page answered ${statusCode}: ${payload}`);
  if (statusCode !== 416) return notFound();
  const range = String(headers['content-range']);
  reply.header('content-range', range);
  return rangeNotSatisfiable(Number(range.split('/')[1]));
}
