import { execFileSync, spawnSync } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { median } from '../../measure/median.ts';
import { currentMemoryMib, peakMemoryMib, resetPeakMemory } from '../../measure/memory.ts';
import { startServer } from '../../measure/program.ts';
import { type Bench, memoryRow, type Row } from '../row.ts';

const releases = 1_000_000;
const readers = 50;
const turns = 3;

/**
 * Measures one response of the minimal API with all releases, and the memory for 50 readers. The
 * reference is `sqlite3`, which writes the releases as JSON.
 */
export const wholeListBench: Bench = {
  rows: ['whole-list', 'whole-list-memory'],
  skipReason: () => (spawnSync('sqlite3', ['--version']).status === 0 ? null : 'no sqlite3'),
  measure: async (work, isWanted) => {
    const data = await work.catalogue(releases);
    const server = await startServer(data, ['--minimal']);
    try {
      const durations: number[] = [];
      const reference: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        reference.push(timeSqliteJson(join(data, 'catalog.db')));
        durations.push(await readAll(server.url));
      }
      const rows: Row[] = [
        {
          name: 'whole-list',
          what: `${releases} releases in one response`,
          unit: 'ms',
          catalog: median(durations),
          reference: median(reference),
          against: 'sqlite3 writing the same fields as JSON',
          targets: [{ of: 'ratio', most: 2 }],
        },
      ];
      if (!isWanted('whole-list-memory')) return rows;
      const before = currentMemoryMib(server.pid);
      await resetPeakMemory(server.pid);
      await Promise.all(Array.from({ length: readers }, () => readAll(server.url)));
      const peak = peakMemoryMib(server.pid);
      if (before === null || peak === null) return rows;
      const what = `memory for ${readers} such readers at once`;
      return [...rows, memoryRow('whole-list-memory', what, peak - before, 64)];
    } finally {
      await server.stop();
    }
  },
};

function readAll(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    get(`${url}/api/releases?limit=-1`, (response) => {
      response.on('data', () => undefined);
      response.on('end', () => resolve(performance.now() - start));
      response.on('error', reject);
    }).on('error', reject);
  });
}

function timeSqliteJson(database: string): number {
  const start = performance.now();
  const query = 'SELECT id, system, name, region, serial FROM release ORDER BY name, id';
  execFileSync('sh', ['-c', `sqlite3 -readonly -json "$1" "$2" >/dev/null`, 'sh', database, query]);
  return performance.now() - start;
}
