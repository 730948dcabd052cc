import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { median } from '../../measure/median.ts';
import { currentMemoryMib } from '../../measure/memory.ts';
import { builtProgram } from '../../measure/program.ts';
import { fetchResponse } from '../responses.ts';
import { type Bench, memoryRow } from '../row.ts';

const releases = 1_000_000;
const turns = 5;
const restMs = 5_000;

/**
 * Measures the built program with a large catalogue. One row is the time from its start to the
 * first list page. The other is its memory when idle.
 */
export const startBench: Bench = {
  rows: ['start', 'idle-memory'],
  skipReason: () => (existsSync(builtProgram) ? null : 'no dist: npm run build makes it'),
  measure: async (work) => {
    const data = await work.catalogue(releases);
    const durations: number[] = [];
    const bare: number[] = [];
    const idle: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const start = performance.now();
      spawnSync(process.execPath, ['-e', '0']);
      bare.push(performance.now() - start);
      const { ms, mib } = await startOnce(data);
      durations.push(ms);
      if (mib !== null) idle.push(mib);
    }
    const [catalog, reference] = [median(durations), median(bare)];
    return [
      {
        name: 'start',
        what: `from the start to the first list page of ${releases} releases`,
        unit: 'ms',
        catalog,
        reference,
        against: 'node -e 0, and 600 ms more',
        targets: [{ of: 'catalog', most: Math.round(reference + 600) }],
      },
      ...(idle.length > 0 ? [memoryRow('idle-memory', 'memory at rest', median(idle), 130)] : []),
    ];
  },
};

async function startOnce(data: string) {
  const args = ['serve', '--data', data, '--host', '127.0.0.1', '--port', '0'];
  const start = performance.now();
  const child = spawn(process.execPath, [builtProgram, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url === undefined) continue;
      await fetchResponse(url, { path: '/api/releases' });
      const ms = performance.now() - start;
      await setTimeout(restMs);
      return { ms, mib: currentMemoryMib(child.pid ?? 0) };
    }
    throw new Error('the server did not start');
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}
