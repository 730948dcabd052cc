import type { FastifyInstance } from 'fastify';
import { addRoute } from '../shared/add-route.ts';
import { FileContent, NoContent, TextContent } from '../shared/route.ts';
import { accessHooks, needsNobody } from './access.ts';
import type { RouteParts } from './parts.ts';
import type { AccountRoute, Endpoint } from './route.ts';

/** Integers are read to the letter: what is none is refused. */
export const integers = { isLenient: false };

/** Adds the endpoints; who may call one is decided before its body is read. Where signing in
 * is required, every answer is private. */
export function addRoutes(
  app: FastifyInstance,
  parts: RouteParts,
  endpoints: readonly Endpoint[],
): void {
  for (const [, method, path, access, route] of endpoints) {
    const isPrivate = parts.requireSignIn || !needsNobody(access);
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

/** The schema that writes a 200. */
function responseOf({ answer }: AccountRoute) {
  const isOwn = [FileContent, NoContent, TextContent].some((kind) => answer instanceof kind);
  return isOwn ? {} : { 200: answer };
}
