import type { AccountTables } from './tables/account-tables.ts';
import type { FileTables } from './tables/file-tables.ts';
import type { ImportTables } from './tables/import-tables.ts';
import type { JobTables } from './tables/job-tables.ts';
import type { LibraryTables } from './tables/library-tables.ts';
import type { ReleaseTables } from './tables/release-tables.ts';
import type { UploadTables } from './tables/upload-tables.ts';

/**
 * The tables of the newest schema version, as the migrations create them. Adapters convert rows to
 * core's types. Timestamps are ISO 8601 text.
 */
export interface Tables
  extends AccountTables,
    FileTables,
    ImportTables,
    JobTables,
    LibraryTables,
    ReleaseTables,
    UploadTables {}
