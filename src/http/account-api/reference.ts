import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { OpenApiDocument } from '../shared/openapi.ts';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">
  <text x="0" y="28" font-family="sans-serif" font-size="24" fill="white">Catalog</text>
</svg>`;

/**
 * Serves the OpenAPI document at `/api/openapi.json`, and a page that shows it at `/api/docs`, which loads nothing from
 * outside; both behind these hooks. `basePath` is the path below which the server lies, "" for the root.
 */
export async function serveReference(
  app: FastifyInstance,
  document: OpenApiDocument,
  { onRequest, basePath }: { onRequest: readonly onRequestAsyncHookHandler[]; basePath: string },
): Promise<void> {
  await app.register(async (scope) => {
    for (const hook of onRequest) scope.addHook('onRequest', hook);
    // The page's library redirects to its own address at the root.
    scope.addHook('onSend', async (_request, reply, payload) => {
      const to = reply.getHeader('location');
      if (basePath !== '' && String(to).startsWith('/')) reply.header('location', basePath + to);
      return payload;
    });
    await addReference(scope, document, basePath);
  });
}

async function addReference(
  app: FastifyInstance,
  document: OpenApiDocument,
  basePath: string,
): Promise<void> {
  const text = JSON.stringify(document);
  // The page takes the document from this plugin, whose types know OpenAPI 3.0 only.
  await app.register(swagger, {
    mode: 'static',
    specification: { document: JSON.parse(text) },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    indexPrefix: basePath,
    uiConfig: { validatorUrl: 'none', persistAuthorization: false },
    logo: { type: 'image/svg+xml', content: logo },
    theme: { title: 'Catalog API' },
    staticCSP: {
      'default-src': "'none'",
      'base-uri': "'none'",
      'connect-src': "'self'",
      'font-src': "'self' data:",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'img-src': "'self' data:",
      'script-src': "'self'",
      // The page's library sets style attributes.
      'style-src': "'self' 'unsafe-inline'",
    },
  });
  app.get('/api/openapi.json', async (_request, reply) => {
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
