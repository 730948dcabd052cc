import { Agent, request } from 'node:https';
import { fileForm } from '../../support/http/client.ts';

/**
 * A request that has ended: its method, path, and outcome, which is the status or a connection
 * error. The outcome is `busy` if the status is 503 and the response says so. A server sends this
 * response if the database takes too long.
 */
export interface Ended {
  readonly method: string;
  readonly path: string;
  readonly outcome: number | string;
  readonly ms: number;
}

type Request = readonly [method: string, path: string];
export const reads: readonly Request[] = [
  ['GET', '/api/releases?limit=5'],
  ['GET', '/api/auth/me'],
  ['GET', '/api/releases/3'],
];
export const mixed: readonly Request[] = [
  ...reads,
  ['PATCH', '/api/releases/4'],
  ['PATCH', '/api/releases/5'],
];
/** Reads, small writes, and uploads of 100 kB. */
export const withUploads: readonly Request[] = [
  ...mixed,
  ['HEAD', '/api/releases/3'],
  ['HEAD', '/api/store'],
  ['POST', '/api/store/upload'],
];
const uploadBytes = 100_000;

/** Clients that send requests one after another over connections that they keep open. */
export class Load {
  readonly ended: Ended[] = [];
  readonly #origin: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  #isOver = false;
  #running: Promise<void>[] = [];

  constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** Starts clients, each of which repeats the requests in order. */
  start(clients: number, requests: readonly Request[]): void {
    const run = async (client: number) => {
      for (let turn = client; !this.#isOver; turn += 1) {
        const [method, path] = requests[turn % requests.length] ?? ['GET', '/api/session'];
        await this.#send(method, path, { client, turn });
      }
    };
    this.#running.push(...Array.from({ length: clients }, (_, client) => run(client)));
  }

  /** Ends the load after the running requests. Returns the requests that did not succeed. */
  async end(): Promise<Ended[]> {
    this.#isOver = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
    return this.ended.filter(({ outcome }) => outcome !== 200);
  }

  /** Returns the longest time that a request took, in milliseconds. */
  get longestMs(): number {
    return this.ended.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  }

  #send(method: string, path: string, by: Sender): Promise<void> {
    const start = performance.now();
    const { body, headers: ofBody } = bodyOf[method]?.(by) ?? {};
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { ...ofBody, 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve) => {
      const end = (outcome: number | string) => {
        this.ended.push({ method, path, outcome, ms: performance.now() - start });
        resolve();
      };
      const options = { method, headers, agent: this.#agent };
      const sent = request(`${this.#origin}${path}`, options, (response) => {
        response.on('error', (error) => end(error.message));
        let text = '';
        response.on('data', (chunk: Buffer) => {
          if (response.statusCode === 503) text += chunk;
        });
        response.on('end', () =>
          end(text.includes('"busy"') ? 'busy' : (response.statusCode ?? 0)),
        );
      });
      sent.on('error', (error) => end(error.message));
      sent.end(body);
    });
  }
}

/** The client that sends a request, and its turn. */
interface Sender {
  readonly client: number;
  readonly turn: number;
}

const bodyOf: Readonly<
  Record<string, (by: Sender) => { body: Buffer | string; headers: Record<string, string> }>
> = {
  PATCH: ({ turn }) => ({
    body: JSON.stringify({ region: `Region ${turn}` }),
    headers: { 'content-type': 'application/json' },
  }),
  POST({ client, turn }) {
    const { body, headers } = fileForm(`${client}.zip`, Buffer.alloc(uploadBytes, `${turn} `));
    return { body, headers: { ...headers } };
  },
};
