import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TAG = /@module-tag full|\['full'/;
const FILE_TAG = /^\/\*\* @module-tag full \*\//;
const IMPORT = / from '(\.[^']*\.ts)';$/gm;

/**
 * Returns the test files without a test that the filter selects. To find this out, vitest would
 * import each file and all its imports. A run that names files gets no such list, so that vitest
 * reports their tests as skipped.
 *
 * `args` are the arguments of the run, and `files` the paths of all test files.
 */
export function findUnselected(args: readonly string[], files: readonly string[]): string[] {
  const [, ...options] = args;
  if (options.some((word) => !word.startsWith('-'))) return [];
  if (options.includes('--tags-filter=not full')) return files.filter(isWhollyFull);
  if (!options.includes('--tags-filter=full')) return [];
  const known = new Map<string, boolean>();
  return files.filter((file) => !mentionsFull(file, known));
}

function isWhollyFull(file: string): boolean {
  return FILE_TAG.test(readFileSync(file, 'utf8'));
}

/** Returns true if a test file has a test tagged `full`, or a file of the tests that it imports. */
export function mentionsFull(file: string, known = new Map<string, boolean>()): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false); // for files that import each other
  const text = readFileSync(file, 'utf8');
  const isFull =
    TAG.test(text) ||
    [...text.matchAll(IMPORT)]
      .map(([, path = '']) => join(dirname(file), path))
      .some((path) => !/\/src\//.test(path) && mentionsFull(path, known));
  known.set(file, isFull);
  return isFull;
}
