import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Arrival } from '../../core/shared/arrival.ts';

/** The event loop hands over at most 1,024 connections with data before it asks the system again. */
const mostConnections = 1_000;

const known = new WeakMap<IncomingMessage, Arrival>();

/** With whom a request arrived that was handed to the framework; undefined where nobody told. */
export function arrivalOf(request: IncomingMessage): Arrival | undefined {
  return known.get(request);
}

/** Has `arrivalOf` tell it. */
export function noteArrival(request: IncomingMessage, arrival: Arrival): void {
  known.set(request, arrival);
}

/**
 * Tells which requests arrived together. The event loop learns from the system which connections have data, reads them one
 * after the other, and then runs what waits for `setImmediate`. The parser calls a server's listeners from within this
 * reading. So whoever asks in the same turn had sent something before its first request was looked at. What follows something
 * else on its connection may have been sent later: it arrives by itself. That is a second request of one turn, and the
 * first one behind a body, whose end may be what was there.
 */
export class Arrivals {
  readonly #seen = new Set<Socket>();
  readonly #sendingBodies = new WeakSet<Socket>();
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

  /** With whom a request arrives. To be called for each one, when the server's listeners are. */
  of(request: IncomingMessage): Arrival {
    const { socket } = request;
    const isBehindBody = this.#sendingBodies.delete(socket);
    if (bringsBody(request)) this.#sendingBodies.add(socket);
    if (this.#connections > mostConnections || this.#seen.has(socket)) return {};
    this.#seen.add(socket);
    this.#current ??= this.#begin();
    return isBehindBody ? {} : this.#current;
  }

  #begin(): Arrival {
    setImmediate(() => {
      this.#current = undefined;
      this.#seen.clear();
    });
    return {};
  }
}

/** Whether its head announces a body (RFC 9112, 6.3), be it an empty one. */
function bringsBody({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== 14 && name.length !== 17) continue;
    const lower = name.toLowerCase();
    if (lower === 'content-length' || lower === 'transfer-encoding') return true;
  }
  return false;
}
