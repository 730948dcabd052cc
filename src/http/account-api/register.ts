import type { FastifyInstance } from 'fastify';
import { addRoute } from '../shared/routes/add-route.ts';
import { FileContent, NoContent, TextContent } from '../shared/routes/route.ts';
import { accessHooks, allowsAnonymous } from './accounts/access.ts';
import type { AccountRoute, Endpoint } from './route.ts';
import type { RouteParts } from './services.ts';

/** Integers are parsed strictly: invalid integers are refused. */
export const integers = { isLenient: false };

/**
 * Adds the endpoints. Access is checked before a body is read. If the server requires signing in,
 * every response is private.
 */
export function addRoutes(
  app: FastifyInstance,
  parts: RouteParts,
  endpoints: readonly Endpoint[],
): void {
  for (const [, method, path, access, route] of endpoints) {
    const isPrivate = parts.requireSignIn || !allowsAnonymous(access);
    addRoute(app, parts, route, {
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      onRequest: accessHooks(parts.accounts, access),
      isPrivate,
      integers,
      response: responseOf(route),
    });
  }
}

/**
 * Returns the schema that serializes a 200 response, by status. Returns an empty object if the
 * response is not JSON.
 */
function responseOf({ response }: AccountRoute) {
  const isOwn = [FileContent, NoContent, TextContent].some((kind) => response instanceof kind);
  return isOwn ? {} : { 200: response };
}
