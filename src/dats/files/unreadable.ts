import type { ImportFile } from '../../core/imports/ports.ts';

/**
 * Returns a file that throws `error` when it is read. The import then reports the error at the
 * position of this file.
 */
export function unreadable(path: string, error: unknown): ImportFile {
  return {
    path,
    size: 0,
    // biome-ignore lint/correctness/useYield: it throws before it could yield
    async *read() {
      throw error;
    },
  };
}
