import type { TObject } from 'typebox';
import type { Route } from '../shared/routes/route.ts';
import type { RouteParts } from './services.ts';

export type MinimalRoute = Route<RouteParts>;

/** Defines one endpoint in a feature's file, without its number, path and access. */
export function route<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
>(parts: Route<RouteParts, P, Q>): MinimalRoute {
  return parts;
}

/**
 * The clients that may call a route. `open`: all clients. `token`: clients with the shared token.
 */
export type Access = 'open' | 'token';

/**
 * One row of the endpoint table: number, path in the notation of minimal-api.md, access and route.
 */
export type Endpoint = readonly [number, string, Access, MinimalRoute];
