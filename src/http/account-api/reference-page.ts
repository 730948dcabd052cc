import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import Fastify, { type FastifyInstance } from 'fastify';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40">
  <text x="0" y="28" font-family="sans-serif" font-size="24" fill="white">Catalog</text>
</svg>`;

/**
 * Returns an app that serves a page with an OpenAPI document. The app does not listen. `basePath`
 * is the server's path prefix; "" for the root.
 */
export async function createReferencePage(
  document: object,
  basePath: string,
): Promise<FastifyInstance> {
  const app = Fastify();
  // The page's library redirects to paths without the prefix. Add the prefix here.
  app.addHook('onSend', async (_request, reply, payload) => {
    const to = reply.getHeader('location');
    if (basePath !== '' && String(to).startsWith('/')) reply.header('location', basePath + to);
    return payload;
  });
  // The page's library reads the document from this plugin. The plugin's types support only OpenAPI
  // 3.0, so the document needs a cast.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } });
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
  return app;
}
