// Preloaded into a server. On SIGUSR2, appends a line to the file in BENCH_LOOP_DELAY. The line is
// the 99th percentile of the event loop delay since the last signal, in milliseconds.
import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_LOOP_DELAY;
if (isMainThread && file !== undefined && process.argv.includes('serve')) {
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  process.on('SIGUSR2', () => {
    // The histogram records the time between two samples, so subtract the sampling interval.
    appendFileSync(file, `${Math.max(0, delay.percentile(99) / 1e6 - resolution)}\n`);
    delay.reset();
  });
}
