import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { quantile } from '../measure/median.ts';
import { adminPassword, type Server, startServer } from '../measure/program.ts';
import type { Row } from './row.ts';

/** Duration of the baseline measurement, during which no other work runs. */
const baselineMs = 8_000;
const warmUpMs = 1_000;
/**
 * Step from one requested list page or release to the next. The step is coprime to the number of
 * pages and releases, so that no request repeats soon.
 */
const stride = 7919;
const maxMs = 100;
const maxDelayMs = 50;

/** Response times while other work ran, in milliseconds. */
export interface ResponseTimes {
  readonly logins: readonly number[];
  readonly lists: readonly number[];
  readonly details: readonly number[];
  /** 99th percentile of the event loop delay, in milliseconds. */
  readonly loopDelay: number;
}

/** A server with `releases` releases that a few users use. */
export class ServerInUse {
  readonly server: Server;
  readonly #releases: number;
  readonly #delays: string;
  #next = 0;

  private constructor(server: Server, releases: number, delays: string) {
    this.server = server;
    this.#releases = releases;
    this.#delays = delays;
  }

  static async start(data: string, releases: number): Promise<ServerInUse> {
    const delays = join(data, '..', 'loop-delays');
    const server = await startServer(data, [], undefined, {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-delay.ts')}`,
      BENCH_LOOP_DELAY: delays,
    });
    const used = new ServerInUse(server, releases, delays);
    await used.measureDuring(setTimeout(warmUpMs)); // the first requests compile code
    return used;
  }

  /** Measures the response times while no other work runs. */
  measureBaseline(): Promise<ResponseTimes> {
    return this.measureDuring(setTimeout(baselineMs));
  }

  /**
   * Logs in and requests list pages and details until `work` ends. The three kinds of requests run
   * concurrently. At most one request of each kind is in progress. Throws if a response is not 200.
   */
  async measureDuring(work: Promise<unknown>): Promise<ResponseTimes> {
    await this.#readLoopDelay();
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    const repeat = async (send: () => Promise<Response>, pauseMs: number) => {
      const waits: number[] = [];
      while (!isDone) {
        const sentAt = performance.now();
        const response = await send();
        await response.text();
        waits.push(performance.now() - sentAt);
        if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}`);
        await setTimeout(pauseMs);
      }
      return waits;
    };
    const { url } = this.server;
    const body = JSON.stringify({ username: 'admin', password: adminPassword });
    const headers = { 'content-type': 'application/json' };
    const nextOffset = () => {
      this.#next = (this.#next + stride) % this.#releases;
      return this.#next;
    };
    const [logins, lists, details] = await Promise.all([
      repeat(() => fetch(`${url}/api/auth/login`, { method: 'POST', headers, body }), 50),
      repeat(() => fetch(`${url}/api/releases?offset=${nextOffset()}`), 10),
      // Some rows are versions of one release, so fewer releases than rows exist. Skip the highest
      // ids.
      repeat(() => fetch(`${url}/api/releases/${1 + Math.floor(nextOffset() * 0.9)}`), 10),
      ended,
    ]);
    return { logins, lists, details, loopDelay: await this.#readLoopDelay() };
  }

  /** Returns the event loop delay since the previous call, in milliseconds. */
  async #readLoopDelay(): Promise<number> {
    const before = this.#delayLines().length;
    process.kill(this.server.pid, 'SIGUSR2');
    for (;;) {
      const lines = this.#delayLines();
      if (lines.length > before) return Number(lines.at(-1));
      await setTimeout(10);
    }
  }

  #delayLines(): string[] {
    return existsSync(this.#delays) ? readFileSync(this.#delays, 'utf8').trim().split('\n') : [];
  }
}

/**
 * Returns four rows: `logins-<name>`, `lists-…`, `details-…` and `loop-delay-…`. `what` is text
 * such as "during an import".
 */
export function responseTimeRows(
  name: string,
  what: string,
  busy: ResponseTimes,
  quiet: ResponseTimes,
): Row[] {
  const row = (of: string, text: string, figures: [number, number], max: number): Row => {
    const [catalog, reference] = figures;
    const targets = [{ of: 'catalog' as const, most: max }];
    const against = 'the same without other work';
    return {
      name: `${of}-${name}`,
      what: `${text} ${what}, p99`,
      unit: 'ms',
      catalog,
      reference,
      against,
      targets,
    };
  };
  const p99 = (of: 'logins' | 'lists' | 'details'): [number, number] => [
    quantile(busy[of], 0.99),
    quantile(quiet[of], 0.99),
  ];
  return [
    row('logins', 'logins', p99('logins'), maxMs),
    row('lists', 'list pages', p99('lists'), maxMs),
    row('details', 'details', p99('details'), maxMs),
    row('loop-delay', 'delay of the event loop', [busy.loopDelay, quiet.loopDelay], maxDelayMs),
  ];
}

/** Returns the names of the rows that `responseTimeRows` returns. */
export const responseTimeRowNames = (name: string) =>
  ['logins', 'lists', 'details', 'loop-delay'].map((of) => `${of}-${name}`);
