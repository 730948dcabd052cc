import { busy } from '../../../core/shared/errors.ts';
import { ConnectionLost, isServerFull } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { Role } from './server.ts';

/**
 * Time after which an unused connection is closed, in ms. A starting process waits longer than this
 * for a server that has no room. It can therefore take the place of a connection that another
 * process no longer uses. The time is longer than the interval of `Presence`, so that an instance
 * without requests keeps one connection.
 */
const IDLE_MS = 10_000;
/**
 * Timeout for opening a connection, in ms. A server that takes longer is treated as unreachable.
 */
export const CONNECT_MS = 4_000;
/** Pause before another attempt to open a connection if the server had no room for it, in ms. */
const OPEN_AGAIN_MS = 250;
/**
 * Time after which the opening of a connection counts as slow, in ms. A pooler makes new clients
 * wait if it has no session for them.
 */
const SLOW_MS = 250;

/** Opens sessions, and changes the purpose of open sessions. */
export interface Sessions {
  open(role: Role, connectMs: number): Promise<Connection>;
  /** Gives an unused session the settings of another role, by the time `until`. */
  changeRole(connection: Connection, role: Role, until: number): Promise<void>;
}

/** A caller that waits for a connection. */
interface Waiter {
  readonly role: Role;
  /** True while a connection is being opened for this caller. */
  isOpening: boolean;
  accept(connection: Connection): void;
  reject(error: unknown): void;
}

/**
 * The connections of one process, which are opened on demand. A caller gets the connection that is
 * free first: one that another caller releases, or a new one. If no more connections can be opened,
 * unused connections change their role. They are not closed and replaced, because another process
 * could then take their places on the server.
 */
export class ConnectionPool {
  readonly #max: number;
  readonly #sessions: Sessions;
  readonly #roles = new WeakMap<Connection, Role>();
  /** Unused connections. The most recently used connection is at the end. */
  #idle: { readonly connection: Connection; readonly since: number }[] = [];
  readonly #used = new Set<Connection>();
  /** The callers that wait, in the order of their calls. */
  readonly #waiters = new Set<Waiter>();
  /** Number of connections that are open or being opened. */
  #count = 0;
  /** The error of the last attempt to open a connection, if the server had no room for it. */
  #refusal: unknown;
  /** Number of connections whose opening is slow. */
  #slowCount = 0;
  #retryTimer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** `max` is the maximum number of connections. */
  constructor(max: number, sessions: Sessions) {
    this.#max = max;
    this.#sessions = sessions;
  }

  /**
   * Returns a connection that no other caller uses. The caller must call `release` afterwards.
   * Throws busy() if no connection is free by `until`, and ConnectionLost if the server is
   * unreachable.
   */
  async acquire(role: Role, until: number): Promise<Connection> {
    for (;;) {
      const connection = this.#takeIdle(role) ?? (await this.#wait(role, until));
      if (this.#roles.get(connection) === role) return connection;
      try {
        await this.#sessions.changeRole(connection, role, until);
        this.#roles.set(connection, role);
        return connection;
      } catch (error) {
        this.#used.delete(connection);
        connection.destroy();
        // The server may have closed an unused connection. The next one may still be open.
        const isInTime = performance.now() < until;
        if (!(error instanceof ConnectionLost && isInTime)) throw error;
      }
    }
  }

  /** Adds an open connection that has the settings of `role`. */
  add(connection: Connection, role: Role): void {
    this.#count += 1;
    this.#adopt(connection, role);
  }

  /** Does the same as `acquire` for a caller that ends the connection instead of releasing it. */
  async acquireForever(role: Role): Promise<Connection> {
    const connection = await this.acquire(role, performance.now() + CONNECT_MS);
    this.#used.delete(connection);
    return connection;
  }

  /** Returns a connection after use. */
  release(connection: Connection): void {
    this.#used.delete(connection);
    if (connection.isLost) return;
    connection.wasUsed = true;
    this.#handOver(connection);
  }

  /** Closes all connections. Connections in use are closed without a message to the server. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#retryTimer);
    const closed = new Error('the database is closed');
    for (const waiter of this.#waiters) waiter.reject(closed);
    for (const connection of this.#used) connection.destroy(closed);
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.end()));
  }

  /** True if another connection probably cannot be opened. */
  get #isFull(): boolean {
    return this.#refusal !== undefined || this.#slowCount > 0 || this.#count >= this.#max;
  }

  /**
   * Returns an unused connection of the role. If there is none, and no more connections can be
   * opened, returns an unused connection of another role.
   */
  #takeIdle(role: Role): Connection | undefined {
    this.#idle = this.#idle.filter(({ connection }) => !connection.isLost);
    const own = this.#idle.findLastIndex(({ connection }) => this.#roles.get(connection) === role);
    const at = own < 0 && this.#isFull ? 0 : own;
    const taken = at < 0 ? undefined : this.#idle.splice(at, 1)[0]?.connection;
    if (taken !== undefined) this.#used.add(taken);
    return taken;
  }

  #wait(role: Role, until: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        role,
        isOpening: false,
        accept: (connection) => {
          stopWaiting();
          this.#used.add(connection);
          resolve(connection);
        },
        reject: (error) => {
          stopWaiting();
          reject(error);
        },
      };
      const onTimeout = () => waiter.reject(this.#refusal ?? noConnection());
      const timer = setTimeout(onTimeout, Math.max(1, until - performance.now()));
      this.#waiters.add(waiter);
      this.#openMore();
    });
  }

  /** Opens a connection for each caller that waits, as long as connections can be opened. */
  #openMore(): void {
    if (this.#retryTimer !== undefined || this.#isClosed) return;
    for (const waiter of this.#waiters) {
      if (this.#count >= this.#max) return;
      if (!waiter.isOpening) void this.#open(waiter);
    }
  }

  /** Opens a connection for a caller. Never rejects. */
  async #open(waiter: Waiter): Promise<void> {
    waiter.isOpening = true;
    this.#count += 1;
    const opening = this.#sessions.open(waiter.role, CONNECT_MS);
    this.#noticeSlow(opening);
    try {
      const connection = await opening;
      this.#refusal = undefined;
      this.#adopt(connection, waiter.role);
    } catch (error) {
      waiter.isOpening = false;
      if (isServerFull(error)) this.#retryLater(error);
      else waiter.reject(error);
      this.#forget();
    }
  }

  /** Takes over an open connection, which is counted already, until it ends. */
  #adopt(connection: Connection, role: Role): void {
    this.#roles.set(connection, role);
    connection.whenEnded(() => this.#forget());
    this.#handOver(connection);
  }

  /** Reduces the count by a connection that ended or could not be opened. */
  #forget(): void {
    this.#count -= 1;
    this.#openMore();
  }

  /** Hands out the unused connections if another connection cannot be opened soon. */
  #noticeSlow(opening: Promise<Connection>): void {
    const timer = setTimeout(() => {
      this.#slowCount += 1;
      const onEnd = () => {
        this.#slowCount -= 1;
      };
      opening.then(onEnd, onEnd);
      this.#handOutIdle();
    }, SLOW_MS);
    const stop = () => clearTimeout(timer);
    opening.then(stop, stop);
  }

  #handOutIdle(): void {
    for (const { connection } of this.#idle.splice(0)) this.#handOver(connection);
  }

  /**
   * Hands out the unused connections, because the server had no room for another one. Then tries
   * again after a pause.
   */
  #retryLater(refusal: unknown): void {
    this.#refusal = refusal;
    this.#handOutIdle();
    if (this.#isClosed) return;
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined;
      this.#openMore();
    }, OPEN_AGAIN_MS);
  }

  /** Passes an unused connection to a caller that waits. Stores it if there is none. */
  #handOver(connection: Connection): void {
    const role = this.#roles.get(connection);
    const waiters = [...this.#waiters];
    // If no more connections can be opened, the callers of all roles are served in their order.
    const next = this.#isFull ? waiters[0] : waiters.find((waiter) => waiter.role === role);
    if (this.#isClosed) connection.destroy();
    else if (next !== undefined) next.accept(connection);
    else {
      this.#idle.push({ connection, since: performance.now() });
      this.#closeIdleLater();
    }
  }

  /** Closes each unused connection when it has been unused for `IDLE_MS`. */
  #closeIdleLater(): void {
    const oldest = this.#idle[0];
    if (oldest === undefined || this.#idleTimer !== undefined) return;
    const waitMs = Math.max(1, oldest.since + IDLE_MS - performance.now());
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      const old = performance.now() - IDLE_MS;
      while (this.#idle[0] && this.#idle[0].since <= old) {
        void this.#idle.shift()?.connection.end(); // never rejects
      }
      this.#closeIdleLater();
    }, waitMs).unref();
  }
}

/** Returns the error for a caller that got no connection in time. */
const noConnection = () =>
  busy(undefined, 'no connection to the database server was free in time', 'database');
