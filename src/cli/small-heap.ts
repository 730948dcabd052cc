import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Keeps the heap small during imports and for whole lists. Their rows are short-lived garbage, for
 * which V8 would take 100 MB or more beyond what is in use. Call it before there are any rows.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/**
 * Maximum size of the young generation. V8 would let it grow to 128 MiB on machines with much
 * memory.
 */
const mostYoungBytes = 16 * 1_048_576;

/**
 * Keeps the young generation small, for servers whose files are in an object store. Each request to
 * the store leaves garbage, for which V8 would take 100 MiB during 20 concurrent uploads. In older
 * versions of Node the young generation keeps its original or current size.
 */
export function keepYoungHeapSmall(): void {
  let isGrowing = true;
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < mostYoungBytes;
    if (mayGrow !== isGrowing) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
    isGrowing = mayGrow;
  }).observe({ entryTypes: ['gc'] });
}
