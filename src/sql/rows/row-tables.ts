import type { Tables } from '../tables.ts';

/** A table whose rows are copied from one database to another. */
export interface RowTable {
  readonly name: keyof Tables;
  /**
   * The columns that identify a row. Rows are read in the order of these columns. Empty if the
   * table has at most one row.
   */
  readonly key: readonly string[];
}

/** Returns the columns of the key that the table has. A table of an older version may lack some. */
export function keyWithin(
  { key }: RowTable,
  columns: readonly { readonly name: string }[],
): readonly string[] {
  return key.filter((each) => columns.some(({ name }) => name === each));
}

const table = (name: keyof Tables, ...key: string[]): RowTable => ({ name, key });

/** Tables that record where files in an object store are, or were, stored. */
const objects = [
  table('stored_object', 'area', 'name'),
  table('object_area', 'area'),
  table('orphan_object', 'key'),
];

/** Tables of uploads, whose bytes are stored outside the database. */
export const uploads: readonly RowTable[] = [
  table('upload', 'id'),
  table('upload_chunk', 'upload_id', 'start'),
  table('object_upload', 'folder'),
  table('object_piece', 'folder', 'start'),
];

/** The table with one record for each file. */
export const storedFiles = table('stored_file', 'area', 'name');

/** The table of file changes in progress. */
export const fileReservations = table('file_reservation', 'id');

/**
 * All tables whose rows are copied. Omits the tables that belong to one database alone: the schema
 * version and the leases of processes. Each table comes after the tables that it refers to.
 */
export const rowTables: readonly RowTable[] = [
  table('user', 'id'),
  table('token', 'id'),
  table('login_try', 'id'),
  table('familiar_network', 'account', 'network'),
  table('metered_try', 'account'),
  table('audit', 'id'),
  table('platform', 'id'),
  table('source', 'id'),
  table('import', 'id'),
  table('import_version'),
  table('release', 'id'),
  table('unfinished_import'),
  table('rom', 'id'),
  table('rom_hash', 'hash', 'release_id'),
  table('source_row', 'source_id', 'release_id'),
  table('release_meta', 'release_id'),
  table('release_edit', 'release_id', 'field'),
  table('metadata_row', 'platform_id', 'kind', 'key', 'field'),
  table('release_serial', 'release_id', 'source_id', 'serial'),
  table('release_text', 'release_id'),
  table('release_count', 'hidden', 'system', 'platform_id', 'region', 'initial', 'title_initial'),
  table('release_set', 'id'),
  table('device', 'id'),
  table('library_root', 'id'),
  table('library_file', 'id'),
  table('library_state', 'name'),
  table('library_version'),
  table('cover_origin', 'release_id'),
  table('cover_miss', 'release_id'),
  table('cover_removal', 'release_id'),
  table('download_event', 'id'),
  table('download_day', 'day'),
  storedFiles,
  fileReservations,
  ...objects,
  ...uploads,
  table('job', 'id'),
  table('schedule', 'kind'),
  table('build_target', 'name'),
  table('verification'),
  table('verification_finding', 'id'),
  table('part_revision', 'part'),
];

/**
 * The tables for a copy whose files are stored in another place. Omits the tables that locate files
 * in an object store, and the tables of uploads.
 */
export const tablesWithoutFiles: readonly RowTable[] = rowTables.filter(
  (each) => !objects.includes(each) && !uploads.includes(each),
);
