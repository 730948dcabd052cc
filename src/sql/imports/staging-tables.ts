import { filledFields, ownFields } from '../../core/shared/release-fields.ts';
import type { RowOf, StagingColumn, StagingTable } from '../staging-table.ts';

/** Columns with a source's data about a release, which staged rows and `source_row` share. */
export const saidColumns = [
  ...ownFields,
  'dump_sha1',
  'dump_md5',
  'dump_crc',
  'roms_digest',
  'search',
] as const;

/** Columns that `rom` takes over unchanged. */
export const romColumns = ['name', 'size', 'crc32', 'md5', 'sha1', 'serial'] as const;

const romTypes = { ...all(romColumns, 'text'), size: 'integer' } as const;

/** A release that a row may be; its name and its dump decide which one. */
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
 * A fact from a metadata file: the value of `field` for the releases that `kind` and `key`
 * identify.
 */
const factColumns = { kind: 'text', key: 'text', field: 'text', value: 'text' } as const;

/**
 * Every staging table of an import, in the order in which they are filled. Both the types of their
 * rows and the statements that create them are derived from here.
 */
export const stagingTables = {
  /** The rows of the file by position; repeated ones are merged into the first. */
  staged_row: {
    columns: {
      position: 'integer',
      ...all(saidColumns, 'text'),
      dump: 'text',
      serial_search: 'text',
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
  /** The serials of rows in their normalised forms. */
  staged_serial: {
    columns: { row_position: 'integer', serial: 'text' },
    key: ['row_position', 'serial'],
  },
  /** If two rows say different things for one key, the later one counts. */
  staged_fact: {
    columns: { ...factColumns, row_has_name: 'boolean' },
    key: ['kind', 'key', 'field'],
  },
  /**
   * Keys of refused rows that may have been listed before: `kind` is 'name', 'dump_sha1',
   * 'dump_md5' or 'dump_crc'.
   */
  refused_key: { columns: { kind: 'text', key: 'text' }, key: ['kind', 'key'] },
  /** Groups of several rows with one name and dump: all of their rows, including the first. */
  repeated_row: {
    columns: { first_position: 'integer', position: 'integer' },
    key: ['first_position', 'position'],
  },

  /** Releases that the source listed before. */
  own_candidate: candidate,
  /** Releases that other sources of the platform brought and that the source did not list. */
  other_candidate: candidate,
  /** Which release each row is; rows that are not listed are new. */
  matched_row: {
    columns: { position: 'integer', release_id: 'integer' },
    key: ['position'],
    unique: 'release_id',
  },

  /**
   * New releases by their future ids, written in that order so that releases written together are
   * stored together.
   */
  new_release: {
    columns: { release_id: 'integer', position: 'integer', ...all(saidColumns, 'text') },
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
  /** Matched releases for which the file says something else than the source did. */
  changed_release: {
    columns: {
      release_id: 'integer',
      position: 'integer',
      /** 'joined', 'changed' or 'renamed'. */
      how: 'text',
      /** Whether the release shows what this source says. */
      is_shown: 'boolean',
      has_other_roms: 'boolean',
    },
    key: ['release_id'],
  },
  /** Releases that the source listed before and the file does not. */
  gone_release: { columns: { release_id: 'integer', name: 'text' }, key: ['release_id'] },
  /** The lookup hashes of new releases, in order; repeated if ROMs share one. */
  new_hash: {
    columns: { position: 'numbered', hash: 'text', release_id: 'integer' },
    key: ['position'],
  },
  /** Releases to be removed, in the order of their names. */
  pruned_release: {
    columns: { position: 'numbered', release_id: 'integer', name: 'text' },
    key: ['position'],
  },

  /** Staged facts that are not known yet. */
  new_fact: { columns: factColumns, key: ['kind', 'key', 'field'] },
  /** Releases that facts are looked up for. */
  fillable_release: {
    columns: {
      release_id: 'integer',
      /** The row that describes the release; null for a metadata file. */
      position: 'integer?',
      /** Whether the release will show what that row says. */
      shows_row: 'boolean',
      /** Whether the release will have the ROMs of that row. */
      has_row_roms: 'boolean',
    },
    key: ['release_id'],
  },
  /** The strongest fact of each release and field. */
  offered_fact: {
    columns: { release_id: 'integer', field: 'text', value: 'text' },
    key: ['release_id', 'field'],
  },
  /** Serials to be filled, with their search text. */
  filled_serial: {
    columns: { release_id: 'integer', value: 'text', search: 'text' },
    key: ['release_id'],
  },
  /** The serials to be filled, in their normalised forms. */
  filled_serial_form: {
    columns: { release_id: 'integer', serial: 'text' },
    key: ['release_id', 'serial'],
  },
  /** Fields of the metadata record to be filled; null if no fact says anything. */
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
