import { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import type { Connection } from './connection.ts';

/** Time after which an unused connection is closed, in ms. */
const IDLE_MS = 60_000;
/**
 * Timeout for opening a connection, in ms. A server that takes longer is treated as unreachable.
 */
const CONNECT_MS = 4_000;

/** Connections for one purpose, which are opened on demand. */
export class ConnectionPool {
  readonly #places: Limiter;
  readonly #open: (connectMs: number) => Promise<Connection>;
  /** Unused connections. The most recently used connection is at the end. */
  readonly #idle: { readonly connection: Connection; readonly since: number }[] = [];
  readonly #used = new Set<Connection>();
  #closer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(max: number, open: (connectMs: number) => Promise<Connection>) {
    this.#places = new Limiter(max);
    this.#open = open;
  }

  /**
   * Runs work on a connection that no other work uses meanwhile. Throws busy() if no connection is
   * free by `until`, and ConnectionLost if the server is unreachable. Also throws the errors of the
   * work.
   */
  async use<R>(until: number, work: (connection: Connection) => Promise<R>): Promise<R> {
    const leave = await this.#places.acquire({ waitMs: Math.max(1, until - performance.now()) });
    try {
      const connection = this.#takeIdle() ?? (await this.#open(connectMs(until)));
      this.#used.add(connection);
      try {
        return await work(connection);
      } finally {
        this.#used.delete(connection);
        this.#release(connection);
      }
    } finally {
      leave();
    }
  }

  /** Closes all connections. Connections in use are closed without telling the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#closer);
    for (const connection of this.#used) connection.destroy(new Error('the database is closed'));
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.end()));
  }

  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last; last = this.#idle.pop()) {
      if (!last.connection.isLost) return last.connection;
    }
    return undefined;
  }

  #release(connection: Connection): void {
    if (this.#isClosed) connection.destroy();
    if (connection.isLost) return;
    connection.wasUsed = true;
    this.#idle.push({ connection, since: performance.now() });
    this.#closer ??= setTimeout(() => this.#closeIdle(), IDLE_MS).unref();
  }

  #closeIdle(): void {
    this.#closer = undefined;
    const old = performance.now() - IDLE_MS;
    while (this.#idle[0] && this.#idle[0].since <= old) {
      void this.#idle.shift()?.connection.end(); // never rejects
    }
    if (this.#idle.length > 0) {
      this.#closer = setTimeout(() => this.#closeIdle(), IDLE_MS).unref();
    }
  }
}

function connectMs(until: number): number {
  return Math.min(CONNECT_MS, Math.max(1, until - performance.now()));
}
