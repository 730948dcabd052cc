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
 * are the ones below `realDatFolder`, repeated as needed. If `realDatFolder` is undefined or does
 * not exist, the DATs are generated.
 */
export function benchWork(folder: string, realDatFolder: string | undefined): BenchWork {
  const createFolder = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path, { recursive: true });
    return path;
  };
  const dats = memoize(async (releases: number) => {
    const to = await createFolder(`dats-${releases}`);
    if (realDatFolder !== undefined && existsSync(realDatFolder))
      return multiplyDats(realDatFolder, releases, to);
    const rows: number[] = [];
    for (let remaining = releases; remaining > 0; remaining -= rowsPerGeneratedDat) {
      rows.push(Math.min(remaining, rowsPerGeneratedDat));
    }
    return generateDats(to, rows);
  });
  const catalogue = memoize(async (releases: number) => {
    process.stderr.write(`bench: importing ${releases} releases\n`);
    const data = join(folder, `catalogue-${releases}`);
    await timeImport(await dats(releases), data);
    return data;
  });
  const archive = realDatFolder !== undefined && existsSync(realDatFolder) ? realDatFolder : null;
  return { folder: createFolder, dats, catalogue, archive };
}

/** Returns a function that calls `make` once per argument and caches the result. */
function memoize<Argument, Result>(
  make: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  const results = new Map<Argument, Promise<Result>>();
  return (argument) => {
    const result = results.get(argument) ?? make(argument);
    results.set(argument, result);
    return result;
  };
}
