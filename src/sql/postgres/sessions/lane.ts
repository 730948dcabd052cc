import { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import { currentClient } from '../../../core/shared/requests/client-context.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './pool.ts';
import type { Role } from './server.ts';

/** Limits how many connections of a pool are used at once for one purpose. */
export class ConnectionLane {
  readonly #pool: ConnectionPool;
  readonly #role: Role;
  readonly #places: Limiter;

  constructor(pool: ConnectionPool, role: Role, max: number) {
    this.#pool = pool;
    this.#role = role;
    this.#places = new Limiter(max);
  }

  /**
   * Runs work on a connection that no other work uses meanwhile. Throws busy() if no connection is
   * free by `until`, and ConnectionLost if the server is unreachable. Also throws the errors of the
   * work.
   */
  async use<R>(until: number, work: (connection: Connection) => Promise<R>): Promise<R> {
    // Networks take turns, so that many writes for one network do not delay a login from another.
    const leave = await this.#places.acquire({
      waitMs: Math.max(1, until - performance.now()),
      owner: currentClient()?.network ?? null,
    });
    try {
      const connection = await this.#pool.acquire(this.#role, until);
      try {
        return await work(connection);
      } finally {
        this.#pool.release(connection);
      }
    } finally {
      leave();
    }
  }
}

/** Default value of the maximum number of connections of a process. */
export const defaultConnections = 17;

/**
 * The maximum number of connections for each purpose, if the process may open `defaultConnections`.
 * The remaining connection keeps the staging tables.
 */
const defaultSizes = { quick: 4, long: 2, streams: 4, writers: 4, stagers: 2 };

export type LaneSizes = typeof defaultSizes;

/**
 * Returns the maximum number of connections for each purpose, for a process that may open `max`
 * connections. Each purpose may use at least one connection. If `max` is small, the sum therefore
 * exceeds `max`, and the purposes share connections.
 */
export function laneSizes(max: number): LaneSizes {
  const scaled = (size: number) => Math.max(1, Math.floor((size * max) / defaultConnections));
  const { quick, long, streams, writers, stagers } = defaultSizes;
  return {
    quick: scaled(quick),
    long: scaled(long),
    streams: scaled(streams),
    writers: scaled(writers),
    stagers: scaled(stagers),
  };
}
