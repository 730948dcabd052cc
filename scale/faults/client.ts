import http from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { fileForm } from '../../test/support/http/client.ts';

/** Longer than the timeouts of the proxy, so that the proxy decides what fails. */
const timeoutMs = 60_000;

/** The response to a request, or its absence. */
export interface Reply {
  /** Method and path of the request. */
  readonly what: string;
  /** The status, or 0 if no complete response arrived. */
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** The body, or the reason if no response arrived. */
  readonly bytes: Buffer;
  /** Access throws if the body is not JSON. */
  readonly json: unknown;
  /** Times of the request and of its end, as values of `performance.now()`. */
  readonly sentAt: number;
  readonly endedAt: number;
}

export interface FaultRequest {
  /** The default is POST if there is a body, otherwise GET. */
  readonly method?: string;
  readonly json?: object;
  readonly file?: { readonly name: string; readonly bytes: Buffer };
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with connections that stay open. It accepts every certificate. */
export class Client {
  readonly #origin: string;
  readonly #token: string;
  readonly #agent: http.Agent;
  readonly #onReply: (reply: Reply) => void;

  /** Calls `onReply` for each request that has ended. */
  constructor(origin: string, token: string, onReply: (reply: Reply) => void = () => undefined) {
    this.#origin = origin;
    this.#token = token;
    this.#onReply = onReply;
    this.#agent = origin.startsWith('https:')
      ? new https.Agent({ keepAlive: true, rejectUnauthorized: false })
      : new http.Agent({ keepAlive: true });
  }

  /** Sends a request and returns the response. Never rejects. */
  async send(path: string, options: FaultRequest = {}): Promise<Reply> {
    const sentAt = performance.now();
    const received = await this.#exchange(path, options).catch((error: Error) => ({
      ...{ status: 0, headers: {}, bytes: Buffer.from(error.message) },
    }));
    const reply: Reply = {
      ...received,
      what: `${options.method ?? ''} ${path}`.trim(),
      sentAt,
      endedAt: performance.now(),
      get json() {
        return JSON.parse(received.bytes.toString());
      },
    };
    this.#onReply(reply);
    return reply;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #exchange(path: string, { method, json, file, body, headers }: FaultRequest) {
    const form = file && fileForm(file.name, file.bytes);
    const sent = json === undefined ? (form?.body ?? body) : JSON.stringify(json);
    const { request } = this.#origin.startsWith('https:') ? https : http;
    const outgoing = request(this.#origin + path, {
      agent: this.#agent,
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(json && { 'content-type': 'application/json' }),
        ...(sent !== undefined && { 'content-length': Buffer.byteLength(sent) }),
        ...form?.headers,
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject).end(sent);
    });
    const bytes = await buffer(response);
    return { status: response.statusCode ?? 0, headers: response.headers, bytes };
  }
}
