import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Figure } from '../measure/figure.ts';
import { adminPassword } from '../measure/program.ts';

/** Client timeout, in milliseconds. If no response arrives, the timeout counts as its duration. */
const defaultTimeoutMs = 10_000;
const turnMs = 50;

/** A request that a probe sends repeatedly. */
export interface ProbeRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Interval between two requests, in units of 50 ms. The default is 1. */
  readonly turns?: number;
}

/** A client with its own loopback address, so that the server sees different clients. */
export class Client {
  readonly #url: string;
  readonly #address: string;
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(url: string, address: string, timeoutMs = defaultTimeoutMs) {
    this.#url = url;
    this.#address = address;
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({ keepAlive: true });
  }

  /**
   * Sends a request. Returns the status and the milliseconds until the response was complete. The
   * status is 0 if there was no complete response before the timeout.
   */
  request({ path, method = 'GET', headers = {}, body }: ProbeRequest) {
    const sentAt = performance.now();
    return new Promise<{ status: number; ms: number }>((resolve) => {
      const finish = (status: number) => {
        const ms = status === 0 ? this.#timeoutMs : performance.now() - sentAt;
        resolve({ status, ms });
      };
      const options = { agent: this.#agent, localAddress: this.#address, method, headers };
      const outgoing = request(this.#url + path, options, (response) => {
        response.on('close', () => finish(response.complete ? (response.statusCode ?? 0) : 0));
        response.resume();
      });
      outgoing.setTimeout(this.#timeoutMs, () => outgoing.destroy());
      outgoing.on('error', () => finish(0));
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns a login request with this name and password. */
export function loginAs(username: string, password: string): ProbeRequest {
  return {
    path: '/api/auth/login',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
    // The maximum rate of logins from one IP address while a second address also uses the hashing.
    turns: 5,
  };
}

/** Requests of an ordinary client: a list page, a release and a login. */
export const ordinaryRequests: readonly ProbeRequest[] = [
  { path: '/api/releases' },
  { path: '/api/releases/1' },
  loginAs('admin', adminPassword),
];

/**
 * Sends each request at its interval until `work` ends, without waiting for the previous response.
 * Returns the 99th percentile of each request's response time, and the number of responses other
 * than 200.
 */
export async function probe(
  client: Client,
  work: Promise<unknown>,
  requests: readonly ProbeRequest[] = ordinaryRequests,
  maxMs = 250,
): Promise<Figure[]> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const sent = requests.map(() => [] as Promise<{ status: number; ms: number }>[]);
  for (let turn = 0; !isDone; turn += 1) {
    for (const [i, each] of requests.entries()) {
      if (turn % (each.turns ?? 1) === 0) sent[i]?.push(client.request(each));
    }
    await Promise.race([ended, setTimeout(turnMs)]);
  }
  await ended;
  const responses = await Promise.all(sent.map((some) => Promise.all(some)));
  const refused = responses.flat().filter(({ status }) => status !== 200).length;
  return [
    ...requests.map(({ path }, i) => ({
      what: `p99 of ${path}`,
      value: p99((responses[i] ?? []).map(({ ms }) => ms)),
      unit: 'ms',
      max: maxMs,
    })),
    { what: 'refused or lost requests', value: refused, unit: 'responses', max: 0 },
  ];
}

function p99(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN;
}
