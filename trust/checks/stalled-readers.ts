import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Check } from '../check.ts';
import { Client, probe } from '../probe.ts';
import { measureMemoryGrowth } from '../tools/memory.ts';
import { openFiles, procSkipReason, waitUntilAtMost } from '../tools/process-state.ts';
import { openSocket, requestHeader } from '../tools/raw-socket.ts';

const readers = 200;
const maxMib = 128;
/**
 * `stallTimeoutMs` is the shortened stall timeout, which is a minute in the product.
 * `stallCheckMs` is the interval at which the server checks for stalls.
 */
const stallTimeoutMs = 5_000;
const stallCheckMs = 500;
/**
 * Time limit for disconnecting all readers. The OS buffers fill slowly while the server serves
 * other clients.
 */
const maxMs = 40_000;

/**
 * Checks that the server disconnects stalled readers of whole lists. The readers must cost little
 * memory and not delay others.
 */
export const stalledReaders: Check = {
  name: 'stalled-readers',
  control: {
    what: 'stalled readers are not disconnected',
    changes: [
      {
        file: 'src/http/shared/server/connections.ts',
        from: 'now - since >= maxStallMs)',
        to: 'now - since >= 100 * maxStallMs)',
      },
    ],
  },
  shortened: [
    {
      file: 'src/http/shared/server/connections.ts',
      from: 'const maxStallMs = 60_000;',
      to: `const maxStallMs = ${stallTimeoutMs};`,
    },
    {
      file: 'src/http/shared/server/connections.ts',
      from: 'const checkIntervalMs = 5_000;',
      to: `const checkIntervalMs = ${stallCheckMs};`,
    },
  ],
  skipReason: procSkipReason,
  async measure(trial) {
    const server = await trial.startServer(await trial.largeCatalogue(), ['--minimal']);
    const other = new Client(server.url, '127.0.0.2');
    const sockets: Socket[] = [];
    try {
      const requests = [{ path: '/api/releases' }, { path: '/api/releases/1' }];
      // Warm up first, so that one-time costs are not attributed to the stalled readers.
      const whole = Array.from({ length: 8 }, () => fetch(`${server.url}/api/releases?limit=-1`));
      await Promise.all(
        whole.map(async (response) => (await response).body?.pipeTo(discardingStream())),
      );
      await probe(other, setTimeout(1_000), requests);
      const files = await openFiles(server.pid);
      for (let i = 0; i < readers; i += 1) {
        const socket = await openSocket(server.url);
        sockets.push(socket);
        // Each reader reads its first bytes, so that the server has begun to respond. Then the
        // reader stalls.
        socket.once('data', () => socket.pause());
        socket.write(requestHeader('GET', '/api/releases?limit=-1', {}));
      }
      // A paused reader does not notice that the server has disconnected it. Count the server's
      // open files instead.
      const open = async () => Math.max(0, (await openFiles(server.pid)) - files);
      const cut = waitUntilAtMost(0, open, maxMs);
      const memory = measureMemoryGrowth(server.pid, cut);
      const figures = await probe(other, cut, requests);
      return [
        ...figures,
        { what: 'readers not disconnected', value: await cut, unit: `of ${readers}`, max: 0 },
        {
          what: 'memory growth',
          value: await memory,
          unit: 'MiB',
          max: maxMib,
        },
      ];
    } finally {
      other.close();
      for (const socket of sockets) socket.destroy();
      await server.stop();
    }
  },
};

const discardingStream = () => new WritableStream<Uint8Array>();
