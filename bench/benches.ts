import { besideBench } from './beside-rows.ts';
import { countBench } from './count-rows.ts';
import { downloadBench } from './download-rows.ts';
import { growthBench } from './growth-rows.ts';
import { hashBench } from './hash-rows.ts';
import { httpBench } from './http-rows.ts';
import { igirBench } from './igir-rows.ts';
import { importBench, shuffledImportBench } from './import-rows.ts';
import { libraryBench } from './library-rows.ts';
import { loadedMemoryBench } from './loaded-memory-rows.ts';
import { pageBench } from './page-rows.ts';
import {
  instancesBench,
  postgresBench,
  postgresImportBench,
  postgresMetadataBench,
} from './postgres-rows.ts';
import type { Bench } from './row.ts';
import { sameNameBench } from './same-name-rows.ts';
import { searchBench } from './search-rows.ts';
import { startBench } from './start-rows.ts';
import { uploadBench } from './upload-rows.ts';
import { wholeListBench } from './whole-list-rows.ts';

/** All benchmarks, in the order of the table. */
export const benches: readonly Bench[] = [
  httpBench,
  searchBench,
  countBench,
  wholeListBench,
  growthBench,
  startBench,
  loadedMemoryBench,
  downloadBench,
  uploadBench,
  importBench,
  shuffledImportBench,
  sameNameBench,
  besideBench,
  postgresBench,
  postgresImportBench,
  postgresMetadataBench,
  instancesBench,
  libraryBench,
  pageBench,
  hashBench,
  igirBench,
];
