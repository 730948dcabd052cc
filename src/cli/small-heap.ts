import { setFlagsFromString } from 'node:v8';

/**
 * For imports and whole lists: rows are short-lived garbage, for which V8 would take 100 MB and more than is in use.
 * To be called before there are any.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}
