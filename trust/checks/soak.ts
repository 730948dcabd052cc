import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generatedDats } from '../../bench/dats.ts';
import { timedImport } from '../../bench/import-rows.ts';
import type { Check } from '../check.ts';
import { residentMib } from '../memory.ts';
import { MixedLoad } from '../mixed-load.ts';
import { openPerson } from '../person.ts';
import { fallsTo, lackOfProc, openFiles } from '../process-state.ts';

const workers = 6;
/** Of the whole time. */
const warmUp = 0.5;
const controlMinutes = 0.6;
const mostWalMib = 64;
/** The slope that an hour's soak may have, and what a short one may gain by chance, in all. */
const mostSlope = 1;
const chanceMib = 80;

/** A mixture of everything for a while: it does not grow, and every answer is right. */
export const soak: Check = {
  name: 'soak',
  control: {
    what: '100 kB kept of each request',
    changes: [
      {
        file: 'src/http/shared/server.ts',
        from: "  app.addHook('onResponse', (request, reply, done) => {\n",
        to:
          "  const leaked: string[] = [];\n  app.addHook('onResponse', (request, reply, done) => {\n" +
          "    leaked.push(Buffer.alloc(100_000, String(leaked.length)).toString('latin1'));\n",
      },
    ],
  },
  missing: lackOfProc,
  async measure(trial) {
    const minutes = trial.isControl
      ? Math.min(controlMinutes, trial.minutes / 2)
      : trial.minutes - Math.min(controlMinutes, trial.minutes / 2);
    const data = join(trial.folder, 'data');
    await timedImport(await generatedDats(join(trial.folder, 'dats'), [5_000]), data);
    const server = await trial.startServer(data);
    try {
      const load = new MixedLoad(server.url, await openPerson(server.url), trial.seed);
      await load.prepare();
      const files = await openFiles(server.pid);
      const until = performance.now() + minutes * 60_000;
      const working = Array.from({ length: workers }, (_, i) => load.run(i, until));
      await setTimeout(minutes * 60_000 * warmUp);
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
      const open = await fallsTo(files, () => openFiles(server.pid), 10_000);
      const measured = minutes * (1 - warmUp);
      return [
        {
          what: 'memory more each minute after the warm-up',
          value: slopeOf(samples),
          unit: 'MiB',
          most: Math.round(Math.max(mostSlope, chanceMib / measured)),
        },
        { what: 'the largest write-ahead log', value: wal, unit: 'MiB', most: mostWalMib },
        {
          what: 'file descriptors more than before',
          value: Math.max(0, open - files),
          unit: '',
          most: 2 * workers, // connections that are kept for the next request
        },
        { what: 'wrong answers', value: load.wrong, unit: `of ${load.answers}`, most: 0 },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Of the line that lies nearest (least squares), in MiB for each minute. */
function slopeOf(samples: readonly { minute: number; mib: number }[]): number {
  const mean = (of: (sample: { minute: number; mib: number }) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [minute, mib] = [mean((sample) => sample.minute), mean((sample) => sample.mib)];
  const covariance = mean((sample) => (sample.minute - minute) * (sample.mib - mib));
  return covariance / mean((sample) => (sample.minute - minute) ** 2);
}
