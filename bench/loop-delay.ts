// Loaded into a server before the program: at SIGUSR2 it writes the 99th percentile of its event loop's delay since the last
// time, in ms, behind the lines of the file that BENCH_LOOP_DELAY names.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_LOOP_DELAY;
if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  process.on('SIGUSR2', () => {
    // What is recorded is the time between two looks.
    appendFileSync(file, `${Math.max(0, delay.percentile(99) / 1e6 - resolution)}\n`);
    delay.reset();
  });
}
