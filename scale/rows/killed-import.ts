import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createRandom, generateDats } from '../../measure/dats.ts';
import { mainProgram, type Pair } from '../pair.ts';
import { noneOf, type Row } from '../row.ts';

const releases = 5_000;
/**
 * Time limit for the next import to begin, in seconds. A killed process counts as dead after 30 s.
 * The difference allows for the duration of an attempt.
 */
const maxSeconds = 32;

/**
 * Checks that a killed import is visible either completely or not at all. The next import must be
 * able to begin within `maxSeconds`.
 */
export const killedImport: Row = {
  name: 'killed-import',
  async measure(scene) {
    const pair = await scene.openPair();
    const random = createRandom(scene.seed);
    const rounds = scene.times(5);
    let [partial, maxWaitSeconds] = [0, 0];
    for (let round = 0; round < rounds; round += 1) {
      const folder = join(scene.folder, `dats-${round}`);
      const files = await generateDats(folder, [releases], round);
      const before = await countOf(pair);
      const env = { PATH: process.env.PATH, CATALOG_DATABASE: scene.database };
      const args = [mainProgram, 'import', ...files, '--data', join(scene.folder, 'data')];
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
      await setTimeout(1_000 + random() * 2_500);
      await kill(child);
      const since = performance.now();
      for (const which of [0, 1]) {
        const more = (await countOf(pair, which)) - before;
        if (more !== 0 && more !== releases) partial += 1;
      }
      for (;;) {
        const began = performance.now();
        const isDone = await pair.run(['import', ...files]).then(
          () => true,
          () => false,
        );
        if (isDone) maxWaitSeconds = Math.max(maxWaitSeconds, (began - since) / 1_000);
        if (isDone || began - since > 2 * maxSeconds * 1_000) break;
      }
      if ((await countOf(pair)) - before !== releases) partial += 1;
    }
    return [
      noneOf('imports seen in part', partial, rounds),
      { what: 'the next import began after', value: maxWaitSeconds, unit: 's', max: maxSeconds },
    ];
  },
};

async function countOf(pair: Pair, which = 0): Promise<number> {
  const { json } = await pair.at(which).request('/api/releases?limit=1&include=total');
  return (json as { total: number }).total;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
