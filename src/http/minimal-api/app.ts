import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { unauthorized } from '../../core/shared/errors.ts';
import { CachedResponses } from '../shared/response-cache/cached-responses.ts';
import { addRoute } from '../shared/routes/add-route.ts';
import type { OpenApiDocument } from '../shared/routes/openapi.ts';
import type { ErrorBody } from '../shared/server/send-error.ts';
import { createServer, type ServerOptions } from '../shared/server/server.ts';
import * as covers from './covers.ts';
import { describeApi, integers } from './document.ts';
import { listLibrary } from './library.ts';
import { prettyJson } from './pretty-json.ts';
import * as releases from './releases.ts';
import { type Endpoint, route } from './route.ts';
import type { MinimalApiParts } from './services.ts';
import * as store from './store.ts';

/** Returns the body of an error response: `{error}`. */
const errorBody: ErrorBody = (message) => prettyJson({ error: message });

/** Creates the app of the minimal API. The app does not listen yet. */
export function createMinimalApi(parts: MinimalApiParts, options: ServerOptions): FastifyInstance {
  const responseCache = new CachedResponses(parts.catalogueRevision);
  const app = createServer(options, {
    errorBody,
    ignoresTrailingSlash: true,
    cached: responseCache,
  });
  app.setReplySerializer(prettyJson);
  const accessChecks = { open: [], token: [requireToken(parts.apiToken)] };
  for (const [, path, access, route] of endpoints) {
    const onRequest = accessChecks[access];
    const isPrivate = access === 'token' && parts.apiToken !== '';
    addRoute(app, { ...parts, responseCache }, route, {
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
  response: Type.Object({
    name: Type.String(),
    endpoints: Type.Array(Type.String({ description: 'for example `GET /api/releases/{id}`' })),
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

/**
 * Returns an `onRequest` hook that refuses requests without the shared token. The header contains
 * the token as `Bearer <token>` or bare (minimal-api.md, Authentication). If `token` is empty, no
 * request is refused.
 */
function requireToken(token: string) {
  // Node decodes headers as Latin-1, but a client may have encoded the token in Latin-1 or in
  // UTF-8.
  const written = [token, Buffer.from(token).toString('latin1')];
  const accepted = written.flatMap((text) => [digest(text), digest(`Bearer ${text}`)]);
  return async (request: FastifyRequest): Promise<void> => {
    if (token === '') return;
    // Do not trim the header; Node has already done that. `trim` could also remove a byte of a
    // UTF-8 character, because as Latin-1 text the byte may look like a space.
    const presented = digest(request.headers.authorization ?? '');
    // Always make every comparison, each in constant time, so that the response time reveals
    // nothing about the token.
    const hits = accepted.filter((one) => timingSafeEqual(one, presented));
    if (hits.length === 0) throw unauthorized();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
