import { collectGarbage } from './collect-garbage.ts';

/** How often the processor time is read, in milliseconds. */
const intervalMs = 5_000;
/** Processor time since the last collection that makes another one worthwhile, in microseconds. */
const worthwhileMicros = 2_000_000;
/** An interval with less processor time than this, in microseconds, counts as idle. */
const idleMicros = 100_000;

/**
 * Returns memory to the system after each period of load. V8 frees the garbage of a busy server
 * only when its heap is full again, so an idle server would keep it for good. Every 5 seconds, the
 * timer reads how much processor time the process used; when the process is idle again after at
 * least 2 seconds of work, `collect` is called once. Returns the timer, which does not keep the
 * process alive.
 */
export function collectAtRest(collect: () => void = collectGarbage): NodeJS.Timeout {
  let collectedAt = usedMicros();
  let lastUsed = collectedAt;
  return setInterval(() => {
    const used = usedMicros();
    const isIdle = used - lastUsed < idleMicros;
    lastUsed = used;
    if (!isIdle || used - collectedAt < worthwhileMicros) return;
    collect();
    collectedAt = used;
  }, intervalMs).unref();
}

/** Returns the processor time of all threads of this process, in microseconds. */
function usedMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
