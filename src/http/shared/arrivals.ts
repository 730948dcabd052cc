import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that had arrived before the first of them was looked at: what is true then is new enough for all. */
export type Arrival = object;

/** The event loop hands over at most 1,024 connections with data before it asks the system again. */
const mostConnections = 1_000;

/**
 * Tells which requests arrived together. The event loop learns from the system which connections have data, reads them one
 * after the other, and then runs what waits for `setImmediate`. The parser calls a server's listeners from within this
 * reading. So whoever asks in the same turn had sent something before its first request was looked at. A second request of
 * one connection may have been sent later: it arrives by itself.
 */
export class Arrivals {
  readonly #seen = new Set<Socket>();
  #connections = 0;
  #current: Arrival | undefined;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#connections += 1;
      socket.once('close', () => {
        this.#connections -= 1;
      });
    });
  }

  /** With whom a request arrives that this connection sent. To be called when the server's listeners are. */
  of(socket: Socket): Arrival {
    if (this.#connections > mostConnections || this.#seen.has(socket)) return {};
    this.#seen.add(socket);
    if (this.#current === undefined) {
      this.#current = {};
      setImmediate(() => {
        this.#current = undefined;
        this.#seen.clear();
      });
    }
    return this.#current;
  }
}
