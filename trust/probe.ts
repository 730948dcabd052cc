import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { adminPassword } from '../bench/work.ts';
import type { Figure } from './check.ts';

/**
 * Client timeout, in milliseconds. It counts as the duration of a response that does not arrive.
 */
const longestMs = 10_000;
const turnMs = 50;

/** A request that a probe repeats. */
export interface Question {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Interval between requests in turns of 50 ms; every turn by default. */
  readonly turns?: number;
}

/** A client with a loopback address of its own, so that a server sees different clients. */
export class Client {
  readonly #url: string;
  readonly #address: string;
  readonly #agent: Agent;
  readonly #longestMs: number;

  constructor(url: string, address: string, givesUpMs = longestMs) {
    this.#url = url;
    this.#address = address;
    this.#longestMs = givesUpMs;
    this.#agent = new Agent({ keepAlive: true });
  }

  /**
   * Sends a request. Returns the status (0 if there was no complete response before the timeout)
   * and the milliseconds until the response was complete.
   */
  ask({ path, method = 'GET', headers = {}, body }: Question) {
    const asked = performance.now();
    return new Promise<{ status: number; ms: number }>((resolve) => {
      const answered = (status: number) => {
        const ms = status === 0 ? this.#longestMs : performance.now() - asked;
        resolve({ status, ms });
      };
      const options = { agent: this.#agent, localAddress: this.#address, method, headers };
      const asking = request(this.#url + path, options, (response) => {
        response.on('close', () => answered(response.complete ? (response.statusCode ?? 0) : 0));
        response.resume();
      });
      asking.setTimeout(this.#longestMs, () => asking.destroy());
      asking.on('error', () => answered(0));
      asking.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Returns a login with this name and password. */
export function loginAs(username: string, password: string): Question {
  return {
    path: '/api/auth/login',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
    // As many logins as one IP address may have pending while another one shares the hashing.
    turns: 5,
  };
}

/** Requests of an ordinary client: a list page, a release, a login. */
export const ordinary: readonly Question[] = [
  { path: '/api/releases' },
  { path: '/api/releases/1' },
  loginAs('admin', adminPassword),
];

/**
 * Sends each question at its interval until `work` ends, whether or not the previous one was
 * answered. Returns the 99th percentile of each response time, and the number of responses other
 * than 200.
 */
export async function probe(
  client: Client,
  work: Promise<unknown>,
  questions: readonly Question[] = ordinary,
  mostMs = 250,
): Promise<Figure[]> {
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  const asked = questions.map(() => [] as Promise<{ status: number; ms: number }>[]);
  for (let turn = 0; !isDone; turn += 1) {
    for (const [i, question] of questions.entries()) {
      if (turn % (question.turns ?? 1) === 0) asked[i]?.push(client.ask(question));
    }
    await Promise.race([ended, setTimeout(turnMs)]);
  }
  await ended;
  const answers = await Promise.all(asked.map((some) => Promise.all(some)));
  const refused = answers.flat().filter(({ status }) => status !== 200).length;
  return [
    ...questions.map(({ path }, i) => ({
      what: `p99 of ${path}`,
      value: p99((answers[i] ?? []).map(({ ms }) => ms)),
      unit: 'ms',
      most: mostMs,
    })),
    { what: 'refused or lost of these', value: refused, unit: 'answers', most: 0 },
  ];
}

function p99(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN;
}
