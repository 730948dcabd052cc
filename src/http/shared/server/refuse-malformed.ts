import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, CatalogError } from '../../../core/shared/errors.ts';
import type { RefusalLog } from './refusal-log.ts';
import { securityHeaders } from './security-headers.ts';
import type { ErrorBody } from './send-error.ts';

/**
 * The parser's error code for a head that is too large. Every other error is refused as a bad
 * request.
 */
export const headerOverflowCode = 'HPE_HEADER_OVERFLOW';
/**
 * Node's error code if no complete head arrived in time. Connections that browsers open in advance
 * cause this error.
 */
const requestTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Responds to input that is not a valid HTTP request, then closes the connection. The response is
 * written directly to the socket, because there is no reply object. If the response to a request
 * was sent before the request's body turned out to be malformed, no second response is sent.
 */
export class MalformedRequests {
  readonly #errorBody: ErrorBody;
  readonly #refusals: RefusalLog;
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  constructor(errorBody: ErrorBody, refusals: RefusalLog) {
    this.#errorBody = errorBody;
    this.#refusals = refusals;
  }

  /**
   * Tracks the last response on each connection of a server. Also refuses CONNECT, because Node
   * would not respond to it.
   */
  follow(server: Server): void {
    server.on('request', (request, response) => this.#responses.set(request.socket, response));
    server.on('connect', (_request, socket) => {
      socket.on('error', () => {}); // Node has removed its own listeners
      this.refuse(new Error('CONNECT is for proxies'), socket as Socket); // always a socket here
    });
  }

  /** Resolves when all earlier requests of a connection have their responses. */
  async waitForResponse(socket: Socket): Promise<void> {
    const response = this.#responses.get(socket);
    if (response === undefined || response.closed) return;
    await new Promise((resolve) => response.once('close', resolve));
  }

  refuse(error: Error & { code?: string }, socket: Socket): void {
    const isLost = error.code === 'ECONNRESET' || !socket.writable;
    if (isLost || forbidsErrorResponse(this.#responses.get(socket))) {
      socket.destroySoon(); // this still sends a response that was already written
      return;
    }
    if (error.code !== requestTimeoutCode) this.#refusals.record(socket.remoteAddress);
    const status = error.code === headerOverflowCode ? 431 : 400;
    const { message } = error instanceof CatalogError ? error : badRequest();
    const body = this.#errorBody(message);
    const headers = {
      ...securityHeaders,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      date: new Date().toUTCString(),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
  }
}

/**
 * Returns true if an earlier response on the connection forbids an error response.
 * - If the body of the last request is malformed: its response has already begun.
 * - Otherwise: its response is unfinished, and the client would confuse the two responses.
 */
function forbidsErrorResponse(response: ServerResponse | undefined): boolean {
  if (response === undefined) return false;
  const isBodyMalformed = !response.req.complete;
  return isBodyMalformed ? response.headersSent : !response.writableFinished;
}
