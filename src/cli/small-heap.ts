import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * For imports and whole lists: rows are short-lived garbage, for which V8 would take 100 MB and more than is in use.
 * To be called before there are any.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}

/** Of young objects; V8 would let it grow to 128 MiB where a machine has much memory, and each request has some. */
const mostYoungBytes = 16 * 1_048_576;

/**
 * For servers whose files lie in an object store: each request to it leaves garbage, and 20 uploads at once would have V8
 * take 100 MiB for it. The room of young objects stays as it was, or is, in older versions of Node.
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
