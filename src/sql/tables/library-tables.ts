import type { Generated } from 'kysely';

/** The library: its roots and files. */
export interface LibraryTables {
  library_root: {
    id: Generated<number>;
    path: string;
    system: string;
    scanned_at: string | null;
    /**
     * The reason why the last scan has no result for the root. The reason is a sentence in which
     * "it" means the root.
     */
    problem: string | null;
    /**
     * The host that owns the root, if several hosts use the database. "" if no host owns the root.
     */
    host: Generated<string>;
  };
  /**
   * A file below a library root. The hashes were calculated when the file had this size and time.
   */
  library_file: {
    id: Generated<number>;
    root_id: number;
    path: string;
    name: string;
    size: number;
    /** A bigint if the value exceeds 2^53. */
    mtime_ns: bigint | number;
    inode: bigint | number;
    /** JSON of Identity. */
    identity: string;
    serial: string | null;
    image_size: number | null;
    crc32: string | null;
    md5: string | null;
    sha1: string | null;
    release_id: number | null;
    method: 'sha1' | 'md5' | 'crc32' | 'serial' | 'name' | 'manual' | null;
    canonical: string | null;
    /**
     * The system of the matched release at the time of matching. If no release matched, the system
     * of the root.
     */
    system: string;
    /** The text that a library search compares; see `librarySearchText`. */
    search: string;
    /**
     * JSON array with the ids of several candidate releases, if the matching could not choose one
     * of them. Null if there are none.
     */
    tied: string | null;
    /** JSON array of the files that a sheet names. Null if the file is not a sheet. */
    sheet: string | null;
    /**
     * Key of the set that the file was matched with. "" if the file must be matched again, null if
     * the file was matched alone.
     */
    set_key: string | null;
    /** Name and version of the reader that read the file; "" if unknown. */
    reader: Generated<string>;
    /**
     * JSON of the evidence read from the file, with the releases that each piece of evidence
     * matched.
     */
    evidence: string;
    /** The result of matching, which follows from the release, the method and the candidates. */
    state: Generated<'matched' | 'by-name' | 'ambiguous' | 'unknown'>;
    /** A copy of the problem in `identity`. */
    problem: string | null;
    /** Time when a scan first found the file. "" if an earlier version of the program found it. */
    added_at: Generated<string>;
  };
  library_state: { name: string; value: string };
  /** One row: a number that increases whenever `library_file` changes. */
  library_version: { number: number };
}
