import type { FastifyInstance, onRequestAsyncHookHandler, RouteHandlerMethod } from 'fastify';
import type { OpenApiDocument } from '../shared/openapi.ts';

/** Where the page's library answers, below `/api/docs`. */
const places = [
  '/',
  '/json',
  '/yaml',
  '/static/index.html',
  '/static/swagger-initializer.js',
  '/static/*',
];
/** What a file's state and part are asked by; the page needs nothing else of a request. */
const passedOn = ['if-none-match', 'if-modified-since', 'if-range', 'range'];
/** What the server that answers writes itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/**
 * Serves the OpenAPI document at `/api/openapi.json`, and a page that shows it at `/api/docs`, which loads nothing from
 * outside; both behind these hooks. `basePath` is the path below which the server lies, "" for the root. The page's
 * libraries are loaded when somebody asks for it: they were some 40 ms of a start.
 */
export async function serveReference(
  app: FastifyInstance,
  document: OpenApiDocument,
  { onRequest, basePath }: { onRequest: readonly onRequestAsyncHookHandler[]; basePath: string },
): Promise<void> {
  const text = JSON.stringify(document);
  let page: Promise<FastifyInstance> | undefined;
  const openPage = async () => {
    const { createReferencePage } = await import('./reference-page.ts');
    return createReferencePage(JSON.parse(text), basePath);
  };
  await app.register(async (scope) => {
    for (const hook of onRequest) scope.addHook('onRequest', hook);
    scope.get('/api/openapi.json', async (_request, reply) => {
      return reply.type('application/json; charset=utf-8').send(text);
    });
    const answerOfPage: RouteHandlerMethod = async (request, reply) => {
      page ??= openPage();
      const asked = passedOn.map((name) => [name, request.headers[name]]);
      const headers = Object.fromEntries(asked.filter(([, value]) => value !== undefined));
      const answer = await (await page).inject({ method: 'GET', url: request.url, headers });
      if (answer.statusCode === 404) return reply.callNotFound();
      const isEmpty = answer.rawPayload.length === 0;
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !ownHeaders.has(name)) reply.header(name, value);
      }
      return reply.code(answer.statusCode).send(isEmpty ? undefined : answer.rawPayload);
    };
    await scope.register(
      async (docs) => {
        for (const place of places) docs.get(place, answerOfPage);
      },
      { prefix: '/api/docs' },
    );
  });
}
