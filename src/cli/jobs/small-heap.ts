import { setFlagsFromString } from 'node:v8';

/** For imports: rows are short-lived garbage, for which V8 would take 100 MB more than is in use. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=20');
}
