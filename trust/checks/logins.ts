import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, loginAs, ordinaryRequests, probe } from '../probe.ts';

const concurrency = 260;
const seconds = 10;

/**
 * Checks that clients that try many names from one IP address do not block logins from another. The
 * limit on failed logins is raised, because refused attempts would shorten the queue for password
 * hashing.
 */
export const logins: Check = {
  name: 'logins',
  control: {
    what: 'one queue for all addresses',
    changes: [
      {
        file: 'src/passwords/argon2.ts',
        from: 'currentClient()?.network ?? null',
        to: "(currentClient(), 'all')",
      },
    ],
  },
  async measure(trial) {
    const options = ['--login-failures', '1000000'];
    const server = await trial.startServer(join(trial.folder, 'data'), options);
    const crowd = new Client(server.url, '127.0.0.1', 60_000);
    const other = new Client(server.url, '127.0.0.2');
    try {
      const requests = ordinaryRequests.filter(({ path }) => path !== '/api/releases/1');
      await probe(other, setTimeout(1_000), requests);
      const end = performance.now() + seconds * 1_000;
      const work = Array.from({ length: concurrency }, async (_, i) => {
        while (performance.now() < end) {
          const { status } = await crowd.request(loginAs(`nobody-${i}`, 'wrong'));
          if (status === 503) await setTimeout(1_000); // the response's `Retry-After` is 1 s
        }
      });
      return await probe(other, Promise.all(work), requests);
    } finally {
      crowd.close();
      other.close();
      await server.stop();
    }
  },
};
