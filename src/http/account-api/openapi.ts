import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">
  <text x="0" y="28" font-family="sans-serif" font-size="24" fill="white">Catalog</text>
</svg>`;

/**
 * Serves the OpenAPI document, made from the schemas that validate and serialise, at `/api/openapi.json`, and a page
 * that shows it at `/api/docs`, which loads nothing from outside.
 */
export async function serveReference(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Catalog',
        version,
        description:
          'The account API. Errors are `{"detail": "..."}`; 401, 403, 413, 415, 422, 429, 500 and 503 may ' +
          'come from any endpoint that they make sense for.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'catalog_session' },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`),
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
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
  let document: string | undefined;
  app.get('/api/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
