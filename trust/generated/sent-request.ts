import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Exchange } from '../../measure/contract.ts';
import type { GeneratedRequest } from './requests.ts';

/** Client timeout, in milliseconds. */
const timeoutMs = 20_000;

/** A response and its duration. The status is 0 if there was no response. */
export interface TimedExchange extends Exchange {
  readonly ms: number;
}

/** Sends requests unchanged, all from one loopback address. */
export class Sender {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #address: string;

  constructor(url: string, address = '127.0.0.1') {
    this.#url = url;
    this.#address = address;
  }

  async send(
    { method, path, headers, body, isChunked }: GeneratedRequest,
    authorization?: string,
  ): Promise<TimedExchange> {
    const { hostname, port } = new URL(this.#url);
    const length = isChunked || body === undefined ? null : Buffer.byteLength(body);
    const fields = {
      ...headers,
      ...(authorization !== undefined && { authorization }),
      ...(length !== null && { 'content-length': String(length) }),
      ...(isChunked && body !== undefined && { 'transfer-encoding': 'chunked' }),
    };
    const startedAt = performance.now();
    try {
      const { status, received, content } = await new Promise<{
        status: number;
        received: Exchange['headers'];
        content: string;
      }>((resolve, reject) => {
        const target = { hostname, port, method, path, headers: fields };
        const outgoing = request({ ...target, agent: this.#agent, localAddress: this.#address });
        outgoing.on('response', (response) => {
          text(response).then((content) => {
            const { statusCode: status = 0, headers: received } = response;
            resolve({ status, received, content });
          }, reject);
        });
        outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no response in time')));
        outgoing.on('error', reject);
        if (isChunked && body !== undefined && body.length > 0) outgoing.write(body);
        outgoing.end(isChunked ? undefined : body);
      });
      const ms = performance.now() - startedAt;
      return { method, path, status, headers: received, body: content, ms };
    } catch (error) {
      const ms = performance.now() - startedAt;
      return { method, path, status: 0, headers: {}, body: String(error), ms };
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}
