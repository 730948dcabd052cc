import type { Tables } from '../tables.ts';

/** A table whose rows go from one database to another. */
export interface RowTable {
  readonly name: keyof Tables;
  /** By what its rows are told apart, in the order in which they are read; of one that has one row at most, nothing. */
  readonly key: readonly string[];
}

const table = (name: keyof Tables, ...key: string[]): RowTable => ({ name, key });

/** What says where in an object store files lie, or did. */
const objects = [
  table('stored_object', 'area', 'name'),
  table('object_area', 'area'),
  table('orphan_object', 'key'),
];

/** What belongs to files that are on their way, whose bytes lie beside the database. */
export const uploads: readonly RowTable[] = [
  table('upload', 'id'),
  table('upload_chunk', 'upload_id', 'start'),
  table('object_upload', 'folder'),
  table('object_piece', 'folder', 'start'),
];

/** What is recorded of each file. */
export const storedFiles = table('stored_file', 'area', 'name');

/** The changes of files that are under way. */
export const fileReservations = table('file_reservation', 'id');

/**
 * All but what each database has for itself (its version, and leases of processes), those that others refer to first.
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
  table('release_count', 'hidden', 'system', 'platform_id', 'region', 'initial'),
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
  table('verification'),
  table('verification_finding', 'id'),
  table('part_revision', 'part'),
];

/** Without what says where files lie and come: for a copy whose files are other ones, in other places. */
export const tablesWithoutFiles: readonly RowTable[] = rowTables.filter(
  (each) => !objects.includes(each) && !uploads.includes(each),
);
