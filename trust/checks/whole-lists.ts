import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, probe } from '../probe.ts';

const readers = 50;
const mostMib = 64;

/** Readers of the whole list of the minimal API cost little memory, and leave others their answers. */
export const wholeLists: Check = {
  name: 'whole-lists',
  control: {
    what: 'parts of 20,000 releases',
    changes: [
      { file: 'src/sql/release-pages.ts', from: 'const batch = ', to: 'const batch = 80 * ' },
    ],
  },
  missing: async () => (process.platform === 'linux' ? null : 'memory is read from /proc'),
  async measure(trial) {
    const server = await trial.startServer(await trial.largeCatalogue(), ['--minimal']);
    const other = new Client(server.url, '127.0.0.2');
    try {
      const questions = [{ path: '/api/releases' }, { path: '/api/releases/1' }];
      await readWhole(server.url); // the first one compiles
      await probe(other, setTimeout(1_000), questions);
      const before = await residentMib(server.pid);
      let [most, isDone] = [before, false];
      const watching = (async () => {
        while (!isDone) {
          most = Math.max(most, await residentMib(server.pid));
          await setTimeout(50);
        }
      })();
      const work = Promise.all(Array.from({ length: readers }, () => readWhole(server.url)));
      const figures = await probe(other, work, questions);
      isDone = true;
      await watching;
      const sizes = new Set(await work);
      return [
        ...figures,
        { what: 'memory more than before', value: most - before, unit: 'MiB', most: mostMib },
        { what: 'lengths of the answers beyond one', value: sizes.size - 1, unit: '', most: 0 },
      ];
    } finally {
      other.close();
      await server.stop();
    }
  },
};

/** How many bytes the answer has; a bare connection, so that this process has the less to do. */
async function readWhole(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let bytes = 0;
  socket.on('data', (piece) => {
    bytes += piece.length;
  });
  socket.write('GET /api/releases?limit=-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'end');
  return bytes;
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
