import { start } from './0028-start.ts';
import { storedObject } from './0029-stored-object.ts';
import { rootHost } from './0030-root-host.ts';
import { searchLettersIndexes } from './0031-search-letters.ts';
import { textStarts } from './0032-text-starts.ts';
import { namesAndOldRecords } from './0033-names-and-old-records.ts';
import { textEnds } from './0034-text-ends.ts';

/** One step of the schema: brings a database to the version, from that of the step before. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/**
 * In order; versions are those of the other engine's migrations, with which the tables are the same. A migration that has
 * been released is never changed, only followed by another.
 */
export const migrations: readonly Migration[] = [
  start,
  storedObject,
  rootHost,
  searchLettersIndexes,
  textStarts,
  namesAndOldRecords,
  textEnds,
];
