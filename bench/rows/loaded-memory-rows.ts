import { setTimeout } from 'node:timers/promises';
import { currentMemoryMib } from '../../measure/memory.ts';
import { startServer } from '../../measure/program.ts';
import { measureLoad } from '../measure-load.ts';
import { type Bench, memoryRow } from '../row.ts';
import { loads } from './http-rows.ts';

const releases = 100_000;
const secondsEach = 4;
/** Wait before measuring. V8 releases its young generation about 15 s after the last request. */
const restMs = 20_000;

/**
 * Measures the memory of an idle server after full load with a hot list, cold lists and cold
 * details.
 */
export const loadedMemoryBench: Bench = {
  rows: ['loaded-memory'],
  measure: async (work) => {
    const data = await work.catalogue(releases);
    const server = await startServer(data);
    try {
      for (const name of ['hot-list', 'cold-lists', 'cold-details']) {
        const load = loads[name];
        if (load === undefined) throw new Error(`there is no load ${name}`);
        const requests = await load.createRequests(server.url);
        await measureLoad(server.url, requests, secondsEach, load.usesUniqueUrls);
      }
      await setTimeout(restMs);
      const mib = currentMemoryMib(server.pid);
      return mib === null
        ? []
        : [memoryRow('loaded-memory', 'memory at rest after load', mib, 200)];
    } finally {
      await server.stop();
    }
  },
};
