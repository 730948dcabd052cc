import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, probe } from '../probe.ts';
import { measureMemoryGrowth } from '../tools/memory.ts';

const readers = 50;
const maxMib = 64;
const seconds = 15;

/**
 * Checks that many readers of the minimal API's whole list cost little memory and do not delay
 * other clients.
 */
export const wholeLists: Check = {
  name: 'whole-lists',
  control: {
    what: 'parts of 20,000 releases',
    changes: [
      {
        file: 'src/sql/releases/full-list-stream.ts',
        from: 'const batch = { ahead: 500, alone: 150 };',
        to: 'const batch = { ahead: 20_000, alone: 20_000 };',
      },
    ],
  },
  skipReason: async () => (process.platform === 'linux' ? null : 'memory is read from /proc'),
  async measure(trial) {
    const server = await trial.startServer(await trial.largeCatalogue(), ['--minimal']);
    const other = new Client(server.url, '127.0.0.2');
    try {
      const requests = [{ path: '/api/releases' }, { path: '/api/releases/1' }];
      // Warm up first, so that one-time costs (code, database caches) are not attributed to the
      // readers.
      await Promise.all(Array.from({ length: 4 }, () => readWhole(server.url)));
      await probe(other, setTimeout(1_000), requests);
      const end = setTimeout(seconds * 1_000);
      const work = Promise.all(Array.from({ length: readers }, () => readWhole(server.url, end)));
      const probing = probe(other, work, requests);
      const value = await measureMemoryGrowth(server.pid, probing);
      const what = 'memory growth';
      return [...(await probing), { what, value, unit: 'MiB', max: maxMib }];
    } finally {
      other.close();
      await server.stop();
    }
  },
};

/**
 * Reads the whole list, or as much as arrives before `end` resolves. Uses a bare connection,
 * because `fetch` would need more processor time in this process.
 */
async function readWhole(url: string, end?: Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.resume();
  socket.write('GET /api/releases?limit=-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const closed = once(socket, 'close');
  await (end === undefined ? closed : Promise.race([closed, end]));
  socket.destroy();
}
