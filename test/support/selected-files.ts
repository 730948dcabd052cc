import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TAG = /@module-tag full|\['full'/;
const FILE_TAG = /^\/\*\* @module-tag full \*\//;
const IMPORT = / from '(\.[^']*\.ts)';$/gm;

/**
 * Returns the test files in which the tag filter of a run selects no test. The run can exclude
 * these files, which vitest would otherwise import with all their imports. Returns no files if the
 * run names files, so that vitest reports their tests as skipped.
 *
 * `args` are the arguments of the run, and `files` the paths of all test files.
 */
export function findUnselected(args: readonly string[], files: readonly string[]): string[] {
  const [, ...options] = args;
  if (options.some((word) => !word.startsWith('-'))) return [];
  if (options.includes('--tags-filter=not full')) return files.filter(isWhollyFull);
  if (!options.includes('--tags-filter=full')) return [];
  return files.filter((file) => !mentionsFull(file));
}

function isWhollyFull(file: string): boolean {
  return FILE_TAG.test(readFileSync(file, 'utf8'));
}

/**
 * Returns true if a test file mentions the tag `full`, or imports a file that does. Files in `src`
 * are not read.
 */
export function mentionsFull(file: string): boolean {
  const found = new Set([file]);
  for (const path of found) {
    const text = textOf(path);
    if (TAG.test(text)) return true;
    for (const [, imported = ''] of text.matchAll(IMPORT)) {
      const next = join(dirname(path), imported);
      if (!/\/src\//.test(next)) found.add(next);
    }
  }
  return false;
}

const texts = new Map<string, string>();

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(path, 'utf8');
  texts.set(path, text);
  return text;
}
