import { collectGarbage } from './collect-garbage.ts';

/** Interval, in milliseconds, at which the processor time is read. */
const intervalMs = 5_000;
/** Minimum processor time, in microseconds, between two calls of `collect`. */
const worthwhileMicros = 2_000_000;
/** An interval with less processor time than this, in microseconds, counts as idle. */
const idleMicros = 100_000;

/**
 * Calls `collect` once after each period of load, to return memory to the system. V8 frees garbage
 * only when its heap is full, so an idle server would never free the garbage of its last requests.
 * A timer reads the processor time of this process every 5 seconds. It calls `collect` when the
 * process is idle and has used at least 2 seconds since the last call. Returns the timer, which
 * does not keep the process alive.
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
