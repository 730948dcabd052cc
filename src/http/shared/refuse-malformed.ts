import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, CatalogError } from '../../core/shared/errors.ts';
import type { ErrorBody } from './answer-error.ts';
import type { RefusalLog } from './refusal-log.ts';
import { securityHeaders } from './security-headers.ts';

/** What the parser says of a head that is too large; everything else is a bad request. */
export const tooLarge = 'HPE_HEADER_OVERFLOW';
/** Code of Node's error when no complete head came in time, as on connections that browsers open in advance. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Answers, on the socket itself, what is no valid HTTP request, for which there is no reply object: once per request. A
 * request whose body turns out malformed when it has been answered gets no second answer.
 */
export class MalformedRequests {
  readonly #errorBody: ErrorBody;
  readonly #refusals: RefusalLog;
  readonly #answers = new WeakMap<Socket, ServerResponse>();

  constructor(errorBody: ErrorBody, refusals: RefusalLog) {
    this.#errorBody = errorBody;
    this.#refusals = refusals;
  }

  /** Follows which answers of a server have begun, and refuses CONNECT, which Node leaves without an answer. */
  follow(server: Server): void {
    server.on('request', (request, response) => this.#answers.set(request.socket, response));
    server.on('connect', (_request, socket) => {
      socket.on('error', () => {}); // Node listens no more
      this.refuse(new Error('CONNECT is for proxies'), socket as Socket); // a server's connections are no others
    });
  }

  /** Resolves when all earlier requests of a connection are answered. */
  async untilAnswered(socket: Socket): Promise<void> {
    const answer = this.#answers.get(socket);
    if (answer === undefined || answer.closed) return;
    await new Promise((resolve) => answer.once('close', resolve));
  }

  refuse(error: Error & { code?: string }, socket: Socket): void {
    const isLost = error.code === 'ECONNRESET' || !socket.writable;
    if (isLost || isAnswered(this.#answers.get(socket))) {
      socket.destroySoon(); // what was answered is still sent
      return;
    }
    if (error.code !== timedOut) this.#refusals.note(socket.remoteAddress);
    const status = error.code === tooLarge ? 431 : 400;
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

/** Whether what is on its way, or to come, would be taken for the answer, or be met by this one in its midst. */
function isAnswered(answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return false;
  const isBodyMalformed = !answer.req.complete;
  return isBodyMalformed ? answer.headersSent : !answer.writableFinished;
}
