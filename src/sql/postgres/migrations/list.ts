import type { MigrationQuery } from '../migration-query.ts';
import { start } from './0028-start.ts';
import { storedObject } from './0029-stored-object.ts';
import { rootHost } from './0030-root-host.ts';
import { searchLettersIndexes } from './0031-search-letters.ts';
import { textStarts } from './0032-text-starts.ts';
import { namesAndOldRecords } from './0033-names-and-old-records.ts';
import { textEnds } from './0034-text-ends.ts';
import { jobAttempts } from './0035-job-attempts.ts';
import { libraryDownloads } from './0036-library-downloads.ts';
import { sortNames } from './0037-sort-name.ts';
import { releaseSet } from './0038-release-set.ts';
import { releaseGroups } from './0039-release-group.ts';
import { filters } from './0040-filters.ts';
import { device } from './0041-device.ts';
import { streamEvents } from './0042-stream-events.ts';
import { buildTargets } from './0043-build-target.ts';
import { targetPresence } from './0044-target-presence.ts';
import { releaseKinds } from './0045-release-kinds.ts';
import { fasterImports } from './0046-faster-imports.ts';

/**
 * One step of the schema. The step upgrades a database from the previous step's version to
 * `version`.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
  /** Work after the statements that SQL alone cannot do. */
  readonly work?: (query: MigrationQuery) => Promise<void>;
}

/**
 * All migrations, in order. A version number stands for the same tables as in SQLite's migrations.
 * A released migration is never changed; a change of the schema needs a new migration.
 */
export const migrations: readonly Migration[] = [
  start,
  storedObject,
  rootHost,
  searchLettersIndexes,
  textStarts,
  namesAndOldRecords,
  textEnds,
  jobAttempts,
  libraryDownloads,
  sortNames,
  releaseSet,
  releaseGroups,
  filters,
  device,
  streamEvents,
  buildTargets,
  targetPresence,
  releaseKinds,
  fasterImports,
];
