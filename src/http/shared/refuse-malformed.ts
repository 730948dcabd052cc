import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RefusalLog } from './refusal-log.ts';
import { securityHeaders } from './security-headers.ts';

/** What the parser says of a head that is too large; everything else is a bad request. */
const tooLarge = 'HPE_HEADER_OVERFLOW';
/** What Node says when no whole head came in time, as on connections that browsers open in advance. */
const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Answers, on the socket itself, what is no valid HTTP request, for which there is no reply object: once per request. A
 * request whose body turns out malformed when it has been answered gets no second answer.
 */
export class MalformedRequests {
  readonly #body: string;
  readonly #refusals: RefusalLog;
  readonly #answers = new WeakMap<Socket, ServerResponse>();

  /** `body` is the answer's, in the API's own form. */
  constructor(body: string, refusals: RefusalLog) {
    this.#body = body;
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

  refuse(error: Error & { code?: string }, socket: Socket): void {
    const isLost = error.code === 'ECONNRESET' || !socket.writable;
    if (isLost || isAnswered(this.#answers.get(socket))) {
      socket.destroySoon(); // what was answered is still sent
      return;
    }
    if (error.code !== timedOut) this.#refusals.note(socket.remoteAddress);
    const status = error.code === tooLarge ? 431 : 400;
    const headers = {
      ...securityHeaders,
      connection: 'close',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(this.#body),
      date: new Date().toUTCString(),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${this.#body}`,
    );
    socket.destroySoon();
  }
}

/** Whether what is on its way, or to come, would be taken for the answer, or be met by this one in its midst. */
function isAnswered(answer: ServerResponse | undefined): boolean {
  if (answer === undefined) return false;
  const isBodyMalformed = !answer.req.complete;
  return isBodyMalformed ? answer.headersSent : !answer.writableFinished;
}
