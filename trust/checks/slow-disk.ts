import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, ordinary, probe } from '../probe.ts';
import { lackOfStrace, slowReads } from '../strace.ts';

/** As a disk that turns takes for a page which is not in memory. */
const readMs = 10;
const readers = 8;
const seconds = 20;

/** Health and a list page that is kept; a login. */
const asked = [
  { path: '/api/health' },
  ...ordinary.filter(({ path }) => path !== '/api/releases/1'),
];

/** Details that are read from a slow disk leave others their health checks, kept answers and logins. */
export const slowDisk: Check = {
  name: 'slow-disk',
  control: {
    what: 'reads stay on the thread of the server, however long they take',
    changes: [{ file: 'src/sql/sqlite/read-pace.ts', from: 'this.#isDirect = false;', to: '' }],
  },
  missing: async () => lackOfStrace(),
  async measure(trial) {
    const data = await trial.largeCatalogue();
    const server = await trial.startServer(data);
    const crowd = new Client(server.url, '127.0.0.1', 60_000);
    const other = new Client(server.url, '127.0.0.2');
    try {
      await probe(other, setTimeout(1_000), asked); // the first ones compile
      let read = 0;
      const details = async () => {
        const end = performance.now() + seconds * 1_000;
        const reader = async (_: unknown, index: number) => {
          for (let turn = index; performance.now() < end; turn += readers) {
            // far from each other, each in pages of its own
            const id = 1 + ((turn * 7_919) % 190_000);
            const { status } = await crowd.ask({ path: `/api/releases/${id}` });
            if (status === 200) read += 1;
          }
        };
        await Promise.all(Array.from({ length: readers }, reader));
      };
      const slow = { pid: server.pid, file: join(data, 'catalog.db'), ms: readMs };
      const figures = await slowReads(slow, () => probe(other, details(), asked));
      // that something was read at all
      const what = 'details that were not read, of the first 100';
      return [...figures, { what, value: Math.max(0, 100 - read), unit: '', most: 0 }];
    } finally {
      crowd.close();
      other.close();
      await server.stop();
    }
  },
};
