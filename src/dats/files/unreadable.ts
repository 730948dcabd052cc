import type { ImportFile } from '../../core/imports/ports.ts';

/**
 * Returns a file whose reading fails with `error`, so that it is reported in its place among the
 * others.
 */
export function unreadable(path: string, error: unknown): ImportFile {
  return {
    path,
    size: 0,
    // biome-ignore lint/correctness/useYield: it only fails
    async *read() {
      throw error;
    },
  };
}
