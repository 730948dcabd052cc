import type { TObject } from 'typebox';
import type { Route } from '../shared/routes/route.ts';
import type { Access } from './accounts/access.ts';
import type { RouteParts } from './services.ts';

export type AccountRoute = Route<RouteParts>;

/** Defines one endpoint in a feature's file, without its number, method, path and access. */
export function route<
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TObject = TObject<Record<never, never>>,
>(parts: Route<RouteParts, P, Q, B>): AccountRoute {
  return parts;
}

/**
 * One row of the endpoint table: number (null for an extension), method, path, access and route.
 */
export type Endpoint = readonly [
  number | null,
  'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PATCH' | 'DELETE',
  string,
  Access,
  AccountRoute,
];
