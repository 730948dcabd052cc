import type { Generated } from 'kysely';
import type { MetadataColumn, OwnField } from '../core/shared/release-fields.ts';

type OwnColumns = Record<OwnField, string>;

/**
 * The tables as the migrations leave them; adapters turn rows into core's types. Timestamps are ISO
 * 8601 text.
 */
export interface Tables {
  user: {
    id: Generated<number>;
    username: string;
    password_hash: string;
    role: 'admin' | 'editor' | 'user';
    is_active: boolean;
    created_at: string;
    last_login_at: string | null;
  };
  token: {
    id: Generated<number>;
    user_id: number;
    hash: string;
    label: string;
    kind: 'api' | 'web';
    created_at: string;
    last_used_at: string | null;
    expires_at: string | null;
    revoked_at: string | null;
  };
  platform: { id: Generated<number>; key: string; name: string };
  /** One publisher's DAT of a platform, in all its versions. */
  source: {
    id: Generated<number>;
    platform_id: number;
    /** Name given with `--source`; "" if none was given. */
    name: string;
    header_name: string;
    system: string;
  };
  /** One imported file. */
  import: {
    id: Generated<number>;
    platform_id: number;
    /** Null for a metadata file. */
    source_id: number | null;
    /** Whether the file states metadata in separate rows. */
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
  release: {
    id: Generated<number>;
    platform_id: number | null;
    system: string;
    /** See `newRevision`. */
    revision: Generated<number>;
  } & OwnColumns;
  /** The releases that readers see: all except those of an unfinished import. */
  listed_release: Omit<Tables['release'], 'id' | 'revision'> & { id: number; revision: number };
  /**
   * Number of releases per combination of values; the engine updates it with every change.
   * `platform_id` is 0 for none; `hidden` marks those of an unfinished import.
   */
  release_count: {
    hidden: boolean;
    system: string;
    platform_id: number;
    region: string;
    /** The first character of the name. */
    initial: string;
    releases: number;
  };
  /** At most one row; see `imports/unfinished.ts`. */
  unfinished_import: { first_release_id: number; claim: string };
  /**
   * A number per part that changes whenever the content that the part shows changes. The engine
   * maintains it, except for files and for the library, which counts its refreshes.
   */
  part_revision: {
    part: 'catalogue' | 'accounts' | 'covers' | 'archives' | 'library';
    number: number;
  };
  /** One row; counts the imports that ended or were discarded. */
  import_version: { number: number };
  rom: {
    id: Generated<number>;
    release_id: number;
    position: number;
    name: string;
    size: number;
    crc32: string;
    md5: string;
    sha1: string;
    serial: string;
  };
  /** Lookup keys for files: the sha1, md5 and crc32:size of each ROM. */
  rom_hash: { hash: string; release_id: number };
  /** A source's data about a release, stored in addition to what the release shows. */
  source_row: {
    source_id: number;
    release_id: number;
    dump_sha1: string;
    dump_md5: string;
    dump_crc: string;
    /** Digest of the row's ROMs, including their names; shows whether they changed. */
    roms_digest: string;
    /** Folded name and serials, for search. */
    search: string;
    /** Whether this source brought the release, which therefore shows its values. */
    is_shown: boolean;
    /** Whether the newest version of the source no longer lists it. */
    gone: boolean;
  } & OwnColumns;
  release_meta: {
    release_id: number;
    title: string;
    manual: boolean;
  } & Record<MetadataColumn, string | null>;
  /** Facts from metadata files, stored for releases that are imported later. */
  metadata_row: {
    platform_id: number;
    kind: 'crc' | 'serial' | 'name';
    key: string;
    field: string;
    value: string;
  };
  /** Serials in their normalised forms. */
  release_serial: { release_id: number; source_id: number; serial: string };
  /**
   * Search texts: `own` for the release's own values since it was edited, `filled` for its serial
   * from a metadata file. `text` also includes what its sources say.
   */
  release_text: { release_id: number; own: string; filled: string; text: string };
  /** Fields that were edited by hand; imports do not change them. */
  release_edit: { release_id: number; field: string; edited_at: string };
  library_root: {
    id: Generated<number>;
    path: string;
    system: string;
    scanned_at: string | null;
    /** Why the last scan has no result for the root, as a sentence about "it". */
    problem: string | null;
    /** The host that owns it, if several hosts share the database; "" for none. */
    host: Generated<string>;
  };
  /** A file below a library root; the hashes are those of this size and modification time. */
  library_file: {
    id: Generated<number>;
    root_id: number;
    path: string;
    name: string;
    size: number;
    /** May exceed 2^53. */
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
    /** System of the release, otherwise of the root, at the time the file was matched. */
    system: string;
    /** Text for library search, see `librarySearchText`. */
    search: string;
    /** JSON: the ids of the releases that nothing could decide between; null if none. */
    tied: string | null;
    /** JSON: the files that a sheet names; null for other files. */
    sheet: string | null;
    /**
     * Key of the set that it was matched with. "" if it must be matched again, null if it was
     * matched on its own.
     */
    set_key: string | null;
    /** The reader that read it, and its version; "" if unknown. */
    reader: Generated<string>;
    /** JSON: what was read, and which releases each piece of evidence matched. */
    evidence: string;
    /** Result of the release, the method and the candidates taken together. */
    state: Generated<'matched' | 'by-name' | 'ambiguous' | 'unknown'>;
    /** The problem in `identity`. */
    problem: string | null;
  };
  library_state: { name: string; value: string };
  /** One row; counts the changes to `library_file`. */
  library_version: { number: number };
  /** Origin of a cover that was not uploaded, and its name in `stored_file`. */
  cover_origin: { release_id: number; kind: 'source' | 'disc'; origin: string; name: string };
  /** The response of a cover source that gave no cover. */
  cover_miss: {
    release_id: number;
    source: string;
    kind: 'miss' | 'failure';
    reason: string;
    asked_at: string;
  };
  /** Releases whose cover a user removed, until one is added again. */
  cover_removal: { release_id: number; removed_at: string; removed_by: string };
  /** The downloads of each day (UTC), including those whose events were removed. */
  download_day: { day: string; count: number; bytes: number };
  download_event: {
    id: Generated<number>;
    user_id: number | null;
    area: string;
    name: string;
    bytes: number;
    created_at: string;
  };
  /**
   * The checksum of every file as it was written. A file with a different size or time was added
   * manually, or is the subject of a reservation.
   */
  stored_file: {
    area: string;
    name: string;
    size: number;
    mtime_ns: bigint;
    sha256: string;
    written_at: string;
  };
  /** A file change that is in progress or was interrupted (docs/decisions/0006-files.md). */
  file_reservation: {
    id: Generated<number>;
    /** The target that no other change may touch meanwhile. */
    target: string;
    area: string;
    owner: string;
    reserved_at: string;
    /** JSON of Actor. */
    actor: string;
    /** JSON of FileChange. */
    change: string;
  };
  /** A file that is uploaded in chunks. */
  upload: {
    id: Generated<number>;
    user_id: number;
    /** JSON of Actor. */
    actor: string;
    system: 'games' | 'videos' | 'dats';
    /** The folder that stores its bytes. */
    folder: string;
    filename: string;
    size: number;
    /** Number of bytes that are safe on disk. */
    received: Generated<number>;
    replaces: boolean;
    /** The metadata as the client sent it. */
    metadata: string;
    state: 'receiving' | 'checking' | 'done' | 'failed';
    detail: string | null;
    sha256: string | null;
    /** The process that checks it. */
    owner: string | null;
    expires_at: string | null;
  };
  /** `start` is the byte offset where the chunk begins. */
  upload_chunk: { upload_id: number; start: number; size: number; sha256: string };
  job: {
    id: Generated<number>;
    kind: string;
    state: 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';
    owner: string;
    /** JSON of Actor: who started it. */
    actor: string;
    /** JSON of JobOptions. */
    options: string;
    /** Whether a user asked the job to stop; checked on each heartbeat. */
    stopping: boolean;
    started_at: string;
    heartbeat_at: string;
    finished_at: string | null;
    /** JSON of JobProgress. */
    progress: string | null;
    /** JSON. */
    report: string | null;
  };
  /**
   * At most one row: the current verification, and the position up to which everything was
   * compared.
   */
  verification: {
    id: number;
    /** JSON. */
    parts: string;
    started_at: string;
    part: string;
    after: string;
    files: number;
    bytes: number;
  };
  /** A problem found by the verification. */
  verification_finding: {
    id: Generated<number>;
    part: string;
    kind: string;
    path: string;
    reason: string;
  };
  /** When a kind of job starts automatically; one row for each kind that can. */
  schedule: {
    kind: string;
    is_on: boolean;
    /** 0 is Sunday; null every day. */
    weekday: number | null;
    /** "HH:MM" by the server's clock. */
    time: string;
    /** Runs due up to this time are done with; "" if none was due. */
    counts_after: string;
  };
  /** Login attempts that failed or are in progress. */
  login_try: {
    id: Generated<number>;
    /** The IP address, for IPv6 its /64. */
    network: string;
    /** Digest of the user name; null once a login with this name and network succeeded. */
    account: string | null;
    /** Milliseconds since 1970 by the database's clock: when it began, then when it failed. */
    at: number;
    failed: boolean;
  };
  /** The networks from which a login with a name succeeded. */
  familiar_network: {
    /** Digest of the user name. */
    account: string;
    /** The IP address, for IPv6 its /64. */
    network: string;
    /** The newest such login, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  /** The newest attempt from an unfamiliar network for a name with too many failures. */
  metered_try: {
    /** Digest of the user name. */
    account: string;
    try_id: number;
    /** When it began, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  /** A file whose bytes are stored as an object; several names may briefly share one key. */
  stored_object: {
    area: string;
    name: string;
    /** Relative to the URL of the object store. */
    key: string;
    size: number;
    /** May exceed 2^53. */
    mtime_ns: bigint | number;
    sha256: string;
  };
  /** The areas that ever had such a file; counts their changes. */
  object_area: { area: string; revision: number };
  /** An object that belongs to no file: not yet, or no longer. */
  orphan_object: {
    key: string;
    /** Milliseconds since 1970 by the database's clock. */
    since: number;
    /** Whether it is being deleted; it is never given a name again. */
    is_going: boolean;
  };
  /** A chunked upload whose bytes are stored in an object store. */
  object_upload: {
    folder: string;
    /** Key of the complete object. */
    key: string;
    /** The multipart upload id of the parts that exist; null if there are none. */
    parts_id: string | null;
    /** Null until its pieces are one object. */
    whole_size: number | null;
  };
  /** Bytes of such an upload, beginning at `start`: a separate object, or a part of the whole. */
  object_piece: {
    folder: string;
    start: number;
    size: number;
    key: string | null;
    part: number | null;
    part_tag: string | null;
  };
  /**
   * Work that one process at a time does; held until `expires_at`, in milliseconds since 1970 by
   * the database's clock.
   */
  lease: { name: string; holder: string; expires_at: number };
  audit: {
    id: Generated<number>;
    at: string;
    actor_kind: 'user' | 'cli' | 'system';
    user_id: number | null;
    username: string | null;
    address: string | null;
    action: string;
    target: string;
    /** JSON. */
    detail: string | null;
  };
}
