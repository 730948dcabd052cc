import type { Bench } from './row.ts';
import { buildBench } from './rows/build-rows.ts';
import { busyServerBench } from './rows/busy-server-rows.ts';
import { countBench } from './rows/count-rows.ts';
import { downloadBench } from './rows/download-rows.ts';
import { growthBench } from './rows/growth-rows.ts';
import { hashBench } from './rows/hash-rows.ts';
import { httpBench } from './rows/http-rows.ts';
import { igirBench } from './rows/igir-rows.ts';
import { importBench, shuffledImportBench } from './rows/import-rows.ts';
import { libraryBench } from './rows/library-rows.ts';
import { loadedMemoryBench } from './rows/loaded-memory-rows.ts';
import { pageBench } from './rows/page-rows.ts';
import {
  instancesBench,
  postgresBench,
  postgresImportBench,
  postgresMetadataBench,
} from './rows/postgres-rows.ts';
import { sameNameBench } from './rows/same-name-rows.ts';
import { searchBench } from './rows/search-rows.ts';
import { setBench } from './rows/set-rows.ts';
import { startBench } from './rows/start-rows.ts';
import { streamBench } from './rows/stream-rows.ts';
import { uploadBench } from './rows/upload-rows.ts';
import { wholeListBench } from './rows/whole-list-rows.ts';

/** All benchmarks, in the order of the table. */
export const benches: readonly Bench[] = [
  httpBench,
  searchBench,
  countBench,
  setBench,
  wholeListBench,
  growthBench,
  startBench,
  loadedMemoryBench,
  downloadBench,
  streamBench,
  buildBench,
  uploadBench,
  importBench,
  shuffledImportBench,
  sameNameBench,
  busyServerBench,
  postgresBench,
  postgresImportBench,
  postgresMetadataBench,
  instancesBench,
  libraryBench,
  pageBench,
  hashBench,
  igirBench,
];
