import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap small during imports and when whole lists are served. Rows become garbage soon
 * after they are read. V8 would otherwise enlarge the heap to hold this garbage. Must be called
 * before any rows are read.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/**
 * Size, in bytes, from which on V8 may not enlarge the young generation. Without a limit, the young
 * generation would grow to 128 MiB on machines with much memory.
 */
const maxYoungBytes = 16 * 1_048_576;

/**
 * Keeps the young generation of the heap small, for servers whose files are in an object store.
 * Each request to the store leaves garbage. V8 would otherwise enlarge the young generation to hold
 * it. In older versions of Node, the young generation keeps its original or current size.
 */
export function keepYoungHeapSmall(): void {
  let isGrowing = true;
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < maxYoungBytes;
    if (mayGrow !== isGrowing) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
    isGrowing = mayGrow;
  }).observe({ entryTypes: ['gc'] });
}

/**
 * Makes V8 collect the young generation on one thread. V8 would otherwise wake up to four threads
 * each time. For a young generation of a few MiB, this takes more processor time than it saves.
 * Applies to all threads of the process.
 */
export function collectYoungOnOneThread(): void {
  setFlagsFromString('--no-parallel-scavenge');
}
