import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { BenchWork } from '../row.ts';
import { multiplyDats } from './multiplied-dats.ts';

const rowsPerGeneratedDat = 20_000;

/**
 * Provides folders and catalogues below `folder`. Each catalogue is imported on first use. The DATs
 * are the ones below `real`, repeated as needed. If `real` is undefined or does not exist, the DATs
 * are generated.
 */
export function benchWork(folder: string, real: string | undefined): BenchWork {
  const made = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const dats = memoize(async (releases: number) => {
    const to = await made(`dats-${releases}`);
    if (real !== undefined && existsSync(real)) return multiplyDats(real, releases, to);
    const rows: number[] = [];
    for (let left = releases; left > 0; left -= rowsPerGeneratedDat) {
      rows.push(Math.min(left, rowsPerGeneratedDat));
    }
    return generateDats(to, rows);
  });
  const catalogue = memoize(async (releases: number) => {
    process.stderr.write(`bench: importing ${releases} releases\n`);
    const data = join(folder, `catalogue-${releases}`);
    await timeImport(await dats(releases), data);
    return data;
  });
  const archive = real !== undefined && existsSync(real) ? real : null;
  return { folder: made, dats, catalogue, archive };
}

/** Returns a function that calls `make` once per argument and caches the result. */
function memoize<Argument, Result>(
  make: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  const made = new Map<Argument, Promise<Result>>();
  return (argument) => {
    const known = made.get(argument) ?? make(argument);
    made.set(argument, known);
    return known;
  };
}
