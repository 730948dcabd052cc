import { collectGarbage } from './collect-garbage.ts';

/**
 * Delay of the first call of `collect`, in milliseconds. A call at the start would delay the first
 * requests.
 */
const firstDelayMs = 1_000;
/** Interval, in milliseconds, at which the processor time is read. */
const intervalMs = 5_000;
/** Minimum processor time, in microseconds, between two calls of `collect`. */
const worthwhileMicros = 2_000_000;
/** An interval with less processor time than this, in microseconds, counts as idle. */
const idleMicros = 100_000;

/**
 * Calls `collect` once soon after the start, and once after each period of load, to return memory
 * to the system. V8 frees garbage only when its heap is full, so an idle thread would never free
 * the garbage of its last requests.
 *
 * A timer reads the processor time of this process every 5 seconds. It calls `collect` when the
 * process is idle and has used at least 2 seconds since the last call. The timers do not keep the
 * process alive. Returns a function that ends them.
 */
export function collectAtRest(collect: () => void = collectGarbage): () => void {
  let collectedAt = usedMicros();
  let lastUsed = collectedAt;
  const first = setTimeout(collect, firstDelayMs).unref();
  const timer = setInterval(() => {
    const used = usedMicros();
    const isIdle = used - lastUsed < idleMicros;
    lastUsed = used;
    if (!isIdle || used - collectedAt < worthwhileMicros) return;
    collect();
    collectedAt = used;
  }, intervalMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}

/** Returns the processor time of all threads of this process, in microseconds. */
function usedMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
