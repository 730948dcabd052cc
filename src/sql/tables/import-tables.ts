import type { Generated } from 'kysely';

/** Platforms, sources and imported files. */
export interface ImportTables {
  platform: { id: Generated<number>; key: string; name: string };
  /** All versions of one publisher's DAT for a platform. */
  source: {
    id: Generated<number>;
    platform_id: number;
    /** Name passed with `--source`, or "" without this option. */
    name: string;
    header_name: string;
    system: string;
  };
  /** One imported file. */
  import: {
    id: Generated<number>;
    platform_id: number;
    /** Null if the file is a metadata file. */
    source_id: number | null;
    /** True if the file contains metadata in separate rows. */
    has_facts: boolean;
    file_name: string;
    sha256: string;
    /** JSON of DatHeader. */
    header: string;
    version: string;
    imported_at: string;
    imported_by: string;
    /** JSON of ImportCounts. */
    counts: string;
    /** JSON of ImportSamples. */
    samples: string;
  };
  /** At most one row; see `imports/apply/unfinished.ts`. */
  unfinished_import: { first_release_id: number; claim: string };
  /** One row, which contains the number of imports that ended or were discarded. */
  import_version: { number: number };
  /** Facts from metadata files. The facts also apply to releases that are imported later. */
  metadata_row: {
    platform_id: number;
    kind: 'crc' | 'serial' | 'name';
    key: string;
    field: string;
    value: string;
  };
}
