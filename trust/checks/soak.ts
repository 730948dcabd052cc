import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { openUserClient, type UserClient } from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import { MixedLoad } from '../mixed-load.ts';
import { residentMib } from '../tools/memory.ts';
import {
  type Descriptors,
  openDescriptors,
  procSkipReason,
  repeatUntilSteady,
  waitUntilAtMost,
} from '../tools/process-state.ts';

const workers = 6;
/** Fraction of the total time after which memory measurements start. */
const warmUp = 0.5;
/**
 * Fraction of the total time after which descriptors are counted, even if their number still
 * changes.
 */
const longestOpening = 0.25;
const roundMs = 1_000;
/**
 * Number of consecutive rounds with the same number of descriptors. After these rounds, everything
 * that the server needs is open.
 */
const steadyRounds = 5;
/** Time limit for the server to close idle connections. The server closes them after 30 s. */
const closingMs = 40_000;
const controlMinutes = 0.6;
const maxWalMib = 64;
/**
 * Limits for memory growth. `maxSlope` applies to a soak of an hour, in MiB per minute.
 * `chanceMib` is the total for random growth in a short soak.
 */
const maxSlope = 1;
const chanceMib = 80;
const memoryFigure = 'memory growth per minute after the warm-up';
const descriptorFigure = 'additional file descriptors after the warm-up';

/**
 * Runs a mixed load for a while. Checks that the server's memory and descriptors do not grow, and
 * that every response is correct.
 */
export const soak: Check = {
  name: 'soak',
  control: {
    what: '100 kB leaked per request, and a file left open by every hundredth',
    breaks: [memoryFigure, descriptorFigure],
    changes: [
      {
        file: 'src/http/shared/server/server.ts',
        from: "  app.addHook('onResponse', (request, reply, done) => {\n",
        to:
          "  const leaked: string[] = [];\n  app.addHook('onResponse', (request, reply, done) => {\n" +
          "    leaked.push(Buffer.alloc(100_000, String(leaked.length)).toString('latin1'));\n" +
          "    if (leaked.length % 100 === 0) process.getBuiltinModule('node:fs').openSync('/dev/null');\n",
      },
    ],
  },
  skipReason: procSkipReason,
  async measure(trial) {
    const minutes = trial.isControl
      ? Math.min(controlMinutes, trial.minutes / 2)
      : trial.minutes - Math.min(controlMinutes, trial.minutes / 2);
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [5_000]), data);
    const server = await trial.startServer(data);
    try {
      const { connections } = await openDescriptors(server.pid); // listening sockets
      const person = await openUserClient(server.url);
      const load = new MixedLoad(server.url, person, trial.seed);
      await load.prepare();
      const ms = minutes * 60_000;
      const begun = performance.now();
      const until = begun + ms;
      const open = () => minOpen(server.pid);
      const opened = await openAll({ load, person, open, until: begun + ms * longestOpening });
      const working = Array.from({ length: workers }, (_, i) => load.run(i, until));
      await setTimeout(begun + ms * warmUp - performance.now());
      const samples: { minute: number; mib: number }[] = [];
      let wal = 0;
      while (performance.now() < until) {
        samples.push({
          minute: performance.now() / 60_000,
          mib: await residentMib(server.pid),
        });
        wal = Math.max(wal, (await stat(join(data, 'catalog.db-wal'))).size / 1_048_576);
        await setTimeout(250);
      }
      await Promise.all(working);
      const needed = opened + connections;
      const left = await waitUntilAtMost(
        needed,
        async () => total(await openDescriptors(server.pid)),
        closingMs,
      );
      const measured = minutes * (1 - warmUp);
      return [
        {
          what: memoryFigure,
          value: slopeOf(samples),
          unit: 'MiB',
          max: Math.round(Math.max(maxSlope, chanceMib / measured)),
        },
        { what: 'the largest write-ahead log', value: wal, unit: 'MiB', max: maxWalMib },
        {
          what: descriptorFigure,
          value: Math.max(0, left - needed),
          unit: '',
          max: 0,
        },
        { what: 'wrong responses', value: load.wrong, unit: `of ${load.responseCount}`, max: 0 },
      ];
    } finally {
      await server.stop();
    }
  },
};

/**
 * Runs the load in short rounds, until all threads and files that it needs are open. There are
 * twice as many workers as later. The rounds end when `steadyRounds` of them in a row leave the
 * same number of descriptors, or at the time `until`. Each round begins with concurrent uncached
 * searches, which make the server open all its database readers. Returns the number of open
 * descriptors. Connections do not count, because their number depends on the clients.
 */
function openAll(options: {
  load: MixedLoad;
  person: UserClient;
  open: () => Promise<number>;
  until: number;
}): Promise<number> {
  const { load, person, open, until } = options;
  const working = Array.from({ length: 2 * workers }, (_, i) => i);
  let round = 0;
  const work = async () => {
    round += 1;
    const search = (i: number) => person.request(`/api/releases?q=round+${round}+${i}`);
    await Promise.all(working.map(search));
    const end = performance.now() + roundMs;
    await Promise.all(working.map((i) => load.run(i, end)));
    return open();
  };
  return repeatUntilSteady(work, { rounds: steadyRounds, until });
}

/**
 * Returns the lowest of ten counts of open descriptors. Connections do not count. A single count
 * could include descriptors of the last responses that are still closing.
 */
async function minOpen(pid: number): Promise<number> {
  let min = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < 10; sample += 1) {
    min = Math.min(min, (await openDescriptors(pid)).others);
    await setTimeout(20);
  }
  return min;
}

const total = ({ connections, others }: Descriptors) => connections + others;

/** Returns the slope of the least-squares line, in MiB per minute. */
function slopeOf(samples: readonly { minute: number; mib: number }[]): number {
  const mean = (of: (sample: { minute: number; mib: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [minute, mib] = [mean((sample) => sample.minute), mean((sample) => sample.mib)];
  const covariance = mean((sample) => (sample.minute - minute) * (sample.mib - mib));
  return covariance / mean((sample) => (sample.minute - minute) ** 2);
}
