import { setTimeout } from 'node:timers/promises';
import { adminPassword } from '../../measure/program.ts';
import type { Check } from '../check.ts';
import { Client, loginAs, probe } from '../probe.ts';

const concurrency = 64;
const seconds = 15;

const letters = 'a b c d e f g h i j k l m n o p';
const wildcards = `${'%_'.repeat(12)}~`;
/** Each part occurs in many names, but no name contains all parts. */
const parts = '(Japan)%'.repeat(120);

/**
 * The most expensive searches. The server must look up each word, wildcard or condition in every
 * release.
 */
const worst = [
  { search: letters },
  { search: letters, limit: '500', include: 'total' },
  { q: wildcards },
  { q: wildcards, limit: '500', offset: '150000', include: 'total' },
  { q: parts },
  { search: letters, region: 'Nowhere', order: 'newest' },
].map((query) => `/api/releases?${new URLSearchParams(query)}`);
const counting = [{ search: letters }, { q: wildcards }, { region: 'Nowhere' }].flatMap((query) =>
  ['facets', 'letters'].map((list) => `/api/${list}?${new URLSearchParams(query)}`),
);

/**
 * Requests that the response cache cannot answer, so the server reads the database for each of
 * them.
 */
const uncachedRequests = [
  { path: '/api/releases?include=cover' },
  { path: '/api/releases/1?include=sources' },
  loginAs('admin', adminPassword),
];

/**
 * Checks that the most expensive searches from one IP address do not slow down list pages, details
 * and logins from another.
 */
export const searches: Check = {
  name: 'searches',
  control: {
    what: 'all reads in the lane of the searches, where networks take no turns',
    changes: [
      { file: 'src/sql/sqlite/open.ts', from: "pool.lane('quick')", to: "pool.lane('long')" },
      {
        file: 'src/core/shared/concurrency/fair-queue.ts',
        from: 'this.#waiting.delete(owner);\n    const item',
        to: 'if (own.length === 1) this.#waiting.delete(owner);\n    const item',
      },
    ],
  },
  async measure(trial) {
    const server = await trial.startServer(await trial.largeCatalogue());
    const crowd = new Client(server.url, '127.0.0.1', 60_000);
    const other = new Client(server.url, '127.0.0.2');
    try {
      await probe(other, setTimeout(1_000), uncachedRequests); // the first requests compile code
      const paths = [...worst, ...counting];
      const end = performance.now() + seconds * 1_000;
      const unexpected: number[] = [];
      let searchCount = 0;
      const work = Array.from({ length: concurrency }, async (_, i) => {
        for (let turn = i; performance.now() < end; turn += 1) {
          searchCount += 1; // identical searches would run only once
          const path = `${paths[turn % paths.length]}&search-number=${searchCount}`;
          const { status } = await crowd.request({ path });
          if (status !== 200 && status !== 503) unexpected.push(status);
          if (status === 503) await setTimeout(1_000); // the response's `Retry-After` is 1 s
        }
      });
      const figures = await probe(other, Promise.all(work), uncachedRequests);
      const what = 'searches with a status other than 200 and 503';
      return [...figures, { what, value: unexpected.length, unit: 'responses', max: 0 }];
    } finally {
      crowd.close();
      other.close();
      await server.stop();
    }
  },
};
