import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { addRoute } from '../shared/routes/add-route.ts';
import type { OpenApiDocument } from '../shared/routes/openapi.ts';
import { CachedResponses } from '../shared/response-cache/cached-responses.ts';
import { createServer, type ServerOptions } from '../shared/server/server.ts';
import * as covers from './covers.ts';
import { describeApi, integers } from './document.ts';
import { errorBody } from './errors.ts';
import { listLibrary } from './library.ts';
import type { MinimalApiParts } from './services.ts';
import { prettyJson } from './pretty-json.ts';
import * as releases from './releases.ts';
import { type Endpoint, route } from './route.ts';
import * as store from './store.ts';
import { requireToken } from './token-check.ts';

/** Creates the app of the minimal API. The app does not listen yet. */
export function createMinimalApi(parts: MinimalApiParts, options: ServerOptions): FastifyInstance {
  const kept = new CachedResponses(parts.catalogueRevision);
  const app = createServer(options, { errorBody, ignoresTrailingSlash: true, cached: kept });
  app.setReplySerializer(prettyJson);
  const accessChecks = { open: [], token: [requireToken(parts.apiToken)] };
  for (const [, path, access, route] of endpoints) {
    const onRequest = accessChecks[access];
    const isPrivate = access === 'token' && parts.apiToken !== '';
    addRoute(app, { ...parts, kept }, route, {
      method: 'GET',
      url: urlOf(path),
      onRequest,
      isPrivate,
      integers,
    });
  }
  return app;
}

/** Returns the OpenAPI document of this API, which the server itself does not serve. */
export function minimalDocument(version: string): OpenApiDocument {
  return describeApi(endpoints, version);
}

const getIndex = route({
  summary: 'The name of the service and its endpoints',
  answer: Type.Object({
    name: Type.String(),
    endpoints: Type.Array(Type.String({ description: 'such as `GET /api/releases/{id}`' })),
  }),
  async handle() {
    return { name: 'Catalog', endpoints: endpoints.map(([, path]) => `GET ${path}`) };
  },
});

// biome-ignore format: it reads as the table of minimal-api.md
const endpoints: readonly Endpoint[] = [
  [1, '/', 'open', getIndex],
  [2, '/api/summary', 'open', releases.getSummary],
  [3, '/api/releases', 'open', releases.listReleases],
  [4, '/api/releases/{id}', 'open', releases.getRelease],
  [5, '/api/library', 'open', listLibrary],
  [6, '/api/cover/{id}', 'open', covers.getCover],
  [7, '/api/store', 'token', store.listStore],
  [8, '/api/store/download/{name}', 'token', store.downloadArchive],
  [9, '/api/covers/{name}.zip', 'open', covers.downloadBundle],
];

/**
 * Converts a path of minimal-api.md to the router's notation. A path is unknown if its parameters
 * do not match the patterns. For a bundle, the parameter `name` includes the `.zip`.
 */
function urlOf(path: string): string {
  return path
    .replace('{id}', ':id(^[0-9]+$)')
    .replace('{name}.zip', ':name(^[A-Za-z0-9_.-]+[.]zip$)')
    .replace('{name}', ':name');
}
