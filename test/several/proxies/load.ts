import { Agent, request } from 'node:https';

/** A request that has ended: its method, path, and status or connection error. */
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
        await this.#send(method, path, turn);
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

  #send(method: string, path: string, turn: number): Promise<void> {
    const start = performance.now();
    const body = method === 'GET' ? '' : JSON.stringify({ region: `Region ${turn}` });
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== '' && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    return new Promise((resolve) => {
      const note = (outcome: number | string) => {
        this.ended.push({ method, path, outcome, ms: performance.now() - start });
        resolve();
      };
      const options = { method, headers, agent: this.#agent };
      const sent = request(`${this.#origin}${path}`, options, (response) => {
        response.on('error', (error) => note(error.message));
        response.on('end', () => note(response.statusCode ?? 0)).resume();
      });
      sent.on('error', (error) => note(error.message));
      sent.end(body);
    });
  }
}
