import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/** A route of a Fastify app. */
export interface AppRoute {
  readonly method: string;
  /** Path as registered in the router, such as `/api/users/:user_id`. */
  readonly url: string;
}

/**
 * Runs `start`. Returns its result, and every route of the apps that it creates, documented or not.
 */
export async function recordRoutes<T>(start: () => Promise<T>): Promise<[T, readonly AppRoute[]]> {
  const routes: AppRoute[] = [];
  const onApp = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) routes.push({ method: each, url });
    });
  };
  subscribe('fastify.initialization', onApp);
  try {
    return [await start(), routes];
  } finally {
    unsubscribe('fastify.initialization', onApp);
  }
}
