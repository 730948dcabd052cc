import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { makeProxy } from '../../test/support/postgres/cutting-proxy.ts';
import type { OwnServer } from '../../test/support/postgres/own-server.ts';
import { importReleases } from '../catalogue.ts';
import type { Pair } from '../pair.ts';
import { noneOf, type Row, type Scene } from '../row.ts';
import { type TimedResponse, Writers } from '../writers.ts';

const writers = 6;
const readers = 4;
/** Duration of an outage of the database server, in milliseconds. */
const outageMs = 8_000;

/** Causes a fault of the database server. Resolves when the server is available again. */
type Fault = (server: OwnServer) => Promise<void>;

const faults: Readonly<Record<string, Fault>> = {
  async killed(server) {
    server.signal('SIGKILL');
    await setTimeout(outageMs);
    await server.start();
  },
  async stopped(server) {
    await server.crash();
    await setTimeout(outageMs);
    await server.start();
  },
  async frozen(server) {
    server.signal('SIGSTOP');
    await setTimeout(outageMs);
    server.signal('SIGCONT');
  },
};

/**
 * Checks responses and data during outages of the database server. Clients must promptly get
 * "busy", and acknowledged writes must not be lost.
 */
export const databaseFaults: Row = {
  name: 'database-faults',
  async measure(scene) {
    const { server } = scene;
    if (server === null) throw new Error('a server of its own is needed');
    const url = new URL(server.databaseUrl);
    const proxy = await makeProxy(Number(url.port));
    url.port = String(proxy.port);
    try {
      const pair = await scene.openPair(url.href);
      const figures: Figure[] = [];
      const ids = await importReleases(pair, scene, 500);
      for (const [name, fault] of Object.entries(faults)) {
        const rounds = scene.times(3);
        figures.push(...(await tryFault(pair, ids, scene, { name, rounds, fault, server })));
      }
      const cut: Fault = async () => {
        for (let i = 0; i < 40; i += 1) {
          proxy.cutAt('COMMIT', i % 2 === 0 ? 'before' : 'after');
          await setTimeout(100);
        }
      };
      figures.push(
        ...(await tryFault(pair, ids, scene, { name: 'cut', rounds: 1, fault: cut, server })),
      );
      return figures;
    } finally {
      await proxy.close();
    }
  },
};

async function tryFault(
  pair: Pair,
  ids: readonly number[],
  { seed }: Scene,
  {
    name,
    rounds,
    fault,
    server,
  }: { name: string; rounds: number; fault: Fault; server: OwnServer },
): Promise<Figure[]> {
  const responses: TimedResponse[] = [];
  const load = new Writers(pair, ids, (one) => responses.push(one));
  const random = createRandom(seed);
  let isOver = false;
  const read = async (reader: number) => {
    const paths = [`/api/releases/${ids[reader]}`, '/api/releases?q=an', '/api/auth/me'];
    for (let turn = 0; !isOver; turn += 1) {
      const at = performance.now();
      const response = await pair.at(turn).request(paths[turn % paths.length] ?? '');
      responses.push({ what: 'read', response, at });
      await setTimeout(10);
    }
  };
  const working = [
    ...Array.from({ length: readers }, (_, reader) => read(reader)),
    ...Array.from({ length: writers }, (_, writer) => load.run(writer, () => isOver)),
  ];
  let recoverySeconds = 0;
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(500 + random() * 1_000);
    await fault(server);
    const since = performance.now();
    await setTimeout(11_000);
    // Find the last failed request that was sent after the server became available again.
    const failed = responses.filter(({ at, response }) => at >= since && response.status !== 200);
    for (const { at, response } of failed)
      recoverySeconds = Math.max(recoverySeconds, (at + response.ms - since) / 1_000);
  }
  isOver = true;
  await Promise.all(working);
  const { lost, doubled } = await load.compare();
  const slowest = responses.toSorted((a, b) => b.response.ms - a.response.ms)[0];
  const unexpected = responses.filter(({ response }) => !isRight(response));
  if (unexpected[0]) {
    const { what, response } = unexpected[0];
    process.stderr.write(`scale: ${what}: ${response.status} ${JSON.stringify(response.json)}\n`);
  }
  return [
    {
      what: `${name}: longest response (${slowest?.what})`,
      value: (slowest?.response.ms ?? Infinity) / 1_000,
      unit: 's',
      max: 5,
    },
    noneOf(
      `${name}: responses that are neither right nor busy`,
      unexpected.length,
      responses.length,
    ),
    { what: `${name}: recovered after`, value: recoverySeconds, unit: 's', max: 10 },
    noneOf(`${name}: acknowledged writes lost`, lost, load.acknowledged),
    noneOf(`${name}: writes done twice`, doubled),
  ];
}

function isRight({ status, headers }: TimedResponse['response']): boolean {
  return status === 200 || (status === 503 && headers.get('retry-after') !== null);
}
