import { filledFields, ownFields } from '../../../core/shared/release-fields.ts';
import type { RowOf, StagingColumn, StagingTable } from '../../engine/staging-table.ts';

/**
 * Columns for the data that a source states about a release. These columns exist in `source_row`
 * and in staged rows.
 */
export const statedColumns = [
  ...ownFields,
  'dump_sha1',
  'dump_md5',
  'dump_crc',
  'roms_digest',
  'search',
  'clone_of',
  'clone_group',
] as const;

/** Columns that are copied unchanged to `rom`. */
export const romColumns = ['name', 'size', 'crc32', 'md5', 'sha1', 'serial'] as const;

const romTypes = { ...all(romColumns, 'text'), size: 'integer' } as const;

/**
 * Columns of a release that a staged row may describe. The name and the dump decide whether the row
 * describes the release.
 */
const candidate = {
  columns: {
    release_id: 'integer',
    name: 'text',
    dump_sha1: 'text',
    dump_md5: 'text',
    dump_crc: 'text',
  },
  key: ['release_id'],
} as const;

/**
 * Columns of a fact from a metadata file. `value` is the value of `field` for the releases that
 * `kind` and `key` identify.
 */
const factColumns = { kind: 'text', key: 'text', field: 'text', value: 'text' } as const;

/**
 * All staging tables of an import, in the order in which they are filled. The row types and the
 * CREATE statements are derived from this constant.
 */
export const stagingTables = {
  /** The rows of the file. Repeated rows are merged into the first row of their group. */
  staged_row: {
    columns: {
      position: 'integer',
      ...all(statedColumns, 'text'),
      kinds: 'integer',
      dump: 'text',
      serial_search: 'text',
      dat_id: 'text',
      clone_of_id: 'text',
      /** The group of the row's name. "" if the row has no `dat_id`. */
      own_group: 'text',
    },
    key: ['position'],
  },
  staged_rom: {
    columns: {
      row_position: 'integer',
      position: 'integer',
      ...romTypes,
    },
    key: ['row_position', 'position'],
  },
  /** The serials of rows, normalised. */
  staged_serial: {
    columns: { row_position: 'integer', serial: 'text' },
    key: ['row_position', 'serial'],
  },
  /**
   * The facts of the file. If two rows state different values for one key and field, the later
   * value is used.
   */
  staged_fact: {
    columns: { ...factColumns, row_has_name: 'boolean' },
    key: ['kind', 'key', 'field'],
  },
  /**
   * The keys of refused rows, to find releases that these rows may describe. `kind` is 'name',
   * 'dump_sha1', 'dump_md5' or 'dump_crc'.
   */
  refused_key: { columns: { kind: 'text', key: 'text' }, key: ['kind', 'key'] },
  /** Groups of rows with the same name and dump. Each group includes the first row of the group. */
  repeated_row: {
    columns: { first_position: 'integer', position: 'integer' },
    key: ['first_position', 'position'],
  },

  /** Releases that the source of the file listed before. */
  own_candidate: candidate,
  /**
   * Releases that other sources of the platform created, and that the source of the file never
   * listed.
   */
  other_candidate: candidate,
  /** The release that each row describes. A row without an entry describes a new release. */
  matched_row: {
    columns: { position: 'integer', release_id: 'integer' },
    key: ['position'],
    unique: 'release_id',
  },

  /**
   * New releases with their future ids. The rows are sorted by id. Releases that are inserted into
   * the catalogue together are therefore stored together in this table.
   */
  new_release: {
    columns: {
      ...{ release_id: 'integer', position: 'integer' },
      ...all(statedColumns, 'text'),
      kinds: 'integer',
    },
    key: ['release_id'],
  },
  new_rom: {
    columns: { release_id: 'integer', position: 'integer', ...romTypes },
    key: ['release_id', 'position'],
  },
  new_serial: {
    columns: { release_id: 'integer', serial: 'text' },
    key: ['release_id', 'serial'],
  },
  /**
   * Matched releases whose data in the file differs from the source's earlier data, or that the
   * source did not list before.
   */
  changed_release: {
    columns: {
      release_id: 'integer',
      position: 'integer',
      /** The kind of change: 'joined', 'changed' or 'renamed'. */
      how: 'text',
      /** True if the release shows the data of this source. */
      is_shown: 'boolean',
      has_other_roms: 'boolean',
    },
    key: ['release_id'],
  },
  /** Releases that the source listed before and that the file does not list. */
  gone_release: { columns: { release_id: 'integer', name: 'text' }, key: ['release_id'] },
  /**
   * The lookup hashes of new releases, sorted. A hash that several ROMs share appears several
   * times.
   */
  new_hash: {
    columns: { position: 'numbered', hash: 'text', release_id: 'integer' },
    key: ['position'],
  },
  /** Releases that the import will remove, sorted by name. */
  pruned_release: {
    columns: { position: 'numbered', release_id: 'integer', name: 'text' },
    key: ['position'],
  },

  /** Facts in the file that are not yet stored. */
  new_fact: { columns: factColumns, key: ['kind', 'key', 'field'] },
  /** Releases for which facts are looked up. */
  fillable_release: {
    columns: {
      release_id: 'integer',
      /** The staged row that describes the release; null for a metadata file. */
      position: 'integer?',
      /** True if the release will show the data of the staged row. */
      shows_row: 'boolean',
      /** True if the release will have the ROMs of the staged row. */
      has_row_roms: 'boolean',
    },
    key: ['release_id'],
  },
  /** The fact to use for each release and field. */
  offered_fact: {
    columns: { release_id: 'integer', field: 'text', value: 'text' },
    key: ['release_id', 'field'],
  },
  /** Serials that the import fills in, with their search texts. */
  filled_serial: {
    columns: { release_id: 'integer', value: 'text', search: 'text' },
    key: ['release_id'],
  },
  /** The normalised forms of the serials in `filled_serial`. */
  filled_serial_form: {
    columns: { release_id: 'integer', serial: 'text' },
    key: ['release_id', 'serial'],
  },
  /** Metadata that the import fills in. A field without a fact is null. */
  filled_metadata: {
    columns: { release_id: 'integer', ...all(filledFields, 'text?') },
    key: ['release_id'],
  },
} as const satisfies Record<string, StagingTable>;

export type StagingTables = {
  [T in keyof typeof stagingTables]: RowOf<(typeof stagingTables)[T]>;
};

export const stagingTableNames = Object.keys(stagingTables).filter(isStagingTable);

export function isStagingTable(name: string): name is keyof StagingTables {
  return Object.hasOwn(stagingTables, name);
}

function all<N extends string, C extends StagingColumn>(
  names: readonly N[],
  column: C,
): Record<N, C> {
  return Object.fromEntries(names.map((name) => [name, column])) as Record<N, C>;
}
