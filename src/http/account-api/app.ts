import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { addDav } from '../dav/dav.ts';
import { pageVersion, readPage } from '../page/page-files.ts';
import { rebasePage } from '../page/rebase-page.ts';
import { servePage } from '../page/serve-page.ts';
import { servePlay } from '../play/serve-play.ts';
import { CachedResponses } from '../shared/response-cache/cached-responses.ts';
import type { OpenApiDocument } from '../shared/routes/openapi.ts';
import { Departure } from '../shared/server/departure.ts';
import type { ErrorBody } from '../shared/server/send-error.ts';
import { createServer, type ServerOptions } from '../shared/server/server.ts';
import { accessHooks, effectiveAccess } from './accounts/access.ts';
import { corsDelegator } from './cors-options.ts';
import { describeApi } from './document.ts';
import { endpoints } from './endpoints-and-roles.ts';
import { serveReference } from './reference.ts';
import { addRoutes } from './register.ts';
import type { Endpoint } from './route.ts';
import { sharedSchemas } from './schemas.ts';
import type { AccountApiParts } from './services.ts';

/** Returns the body of an error response: `{detail}`. */
const errorBody: ErrorBody = (detail) => JSON.stringify({ detail });

/** Creates the app of the account API. The app does not listen yet. */
export async function createAccountApi(
  parts: AccountApiParts,
  options: ServerOptions,
): Promise<FastifyInstance> {
  const responseCache = new CachedResponses(parts.catalogueRevision);
  const app = createServer(options, {
    errorBody,
    ...(!parts.requireSignIn && { cached: responseCache }),
  });
  if (parts.corsOrigins.length > 0) {
    await app.register(cors, { delegator: corsDelegator(parts.corsOrigins) });
  }
  app.decorateRequest('grant');
  for (const schema of sharedSchemas) app.addSchema(schema);
  const page = parts.basePath === '' ? readPage() : rebasePage(readPage(), parts.basePath);
  await app.register(async (api) => {
    const onRequest = accessHooks(parts.accounts, effectiveAccess(parts, 'open'));
    const { basePath, requireSignIn: isPrivate } = parts;
    const mount = { onRequest, isPrivate, basePath };
    await serveReference(api, accountDocument(parts.version, parts), mount);
    const buildVersion = pageVersion(page) ?? parts.version;
    const { departure = new Departure() } = options;
    addRoutes(api, { ...parts, responseCache, buildVersion, departure }, endpointsOn(parts));
  });
  addDav(app, parts);
  servePlay(app, parts);
  servePage(app, page);
  return app;
}

/** Returns the OpenAPI document of this API for a server with these options. */
export function accountDocument(
  version: string,
  { requireSignIn = false, basePath = '' }: { requireSignIn?: boolean; basePath?: string } = {},
): OpenApiDocument {
  return describeApi(endpointsOn({ requireSignIn }), version, basePath);
}

function endpointsOn(server: { requireSignIn: boolean }): Endpoint[] {
  return endpoints.map(([number, method, path, access, route]) => {
    return [number, method, path, effectiveAccess(server, access), route];
  });
}
