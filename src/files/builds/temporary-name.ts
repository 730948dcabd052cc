import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { statAt } from './target-reader.ts';

const start = '.catalog-build.tmp';

/** Returns the name of an unfinished file in a target. */
export function temporaryName(number: number): string {
  return `${start}${number}`;
}

/** Returns true for the name of an unfinished file. In older versions, the name has no number. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(start) && /^\d*$/.test(name.slice(start.length));
}

/** Removes the unfinished files of an interrupted build. */
export async function removeTemporaries(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isTemporaryName)) {
    const path = join(folder, name);
    if ((await statAt(path))?.isFile()) await rm(path, { force: true });
  }
}
