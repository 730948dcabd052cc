import type { Generated, GeneratedAlways } from 'kysely';
import type { MetadataColumn, OwnField } from '../core/shared/release-fields.ts';

type OwnColumns = Record<OwnField, string>;

/**
 * The tables of the newest schema version, as the migrations create them. Adapters convert rows to
 * core's types. Timestamps are ISO 8601 text.
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
  release: {
    id: Generated<number>;
    platform_id: number | null;
    system: string;
    /** See `newRevision`. */
    revision: Generated<number>;
    /** See `sortName`. The engine calculates the text from the name. */
    sort_name: GeneratedAlways<string>;
  } & OwnColumns;
  /** A view of the releases that users see. The view omits the releases of an unfinished import. */
  listed_release: Omit<Tables['release'], 'id' | 'revision' | 'sort_name'> & {
    id: number;
    revision: number;
    sort_name: string;
  };
  /**
   * The number of releases with each combination of these values. The engine updates the numbers
   * with every change of the releases. `platform_id` is 0 for releases without a platform. `hidden`
   * is true for releases of an unfinished import.
   */
  release_count: {
    hidden: boolean;
    system: string;
    platform_id: number;
    region: string;
    /** The first character of the release names. */
    initial: string;
    releases: number;
  };
  /** At most one row; see `imports/apply/unfinished.ts`. */
  unfinished_import: { first_release_id: number; claim: string };
  /**
   * For each part, a number that changes whenever the content that the part shows changes. Triggers
   * change the number, except for covers, archives and the library. The number of the library
   * counts its refreshes.
   */
  part_revision: {
    part: 'catalogue' | 'accounts' | 'covers' | 'archives' | 'library';
    number: number;
  };
  /** One row, which contains the number of imports that ended or were discarded. */
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
  /** Hashes that match files with releases: the `sha1`, `md5` and `crc32:size` of each ROM. */
  rom_hash: { hash: string; release_id: number };
  /** The data that a source states about a release. The release itself may show other values. */
  source_row: {
    source_id: number;
    release_id: number;
    dump_sha1: string;
    dump_md5: string;
    dump_crc: string;
    /** Digest of the row's ROMs, including their names. A different digest means changed ROMs. */
    roms_digest: string;
    /** The folded name and serials, for finding the release in a search. */
    search: string;
    /** True if this source brought the release. The release then shows the values of the source. */
    is_shown: boolean;
    /** True if the newest version of the source no longer lists the release. */
    gone: boolean;
  } & OwnColumns;
  release_meta: {
    release_id: number;
    title: string;
    manual: boolean;
  } & Record<MetadataColumn, string | null>;
  /** Facts from metadata files. The facts also apply to releases that are imported later. */
  metadata_row: {
    platform_id: number;
    kind: 'crc' | 'serial' | 'name';
    key: string;
    field: string;
    value: string;
  };
  /** The serials of releases, normalised. */
  release_serial: { release_id: number; source_id: number; serial: string };
  /**
   * The search text of a release:
   * - `own`: the text of values edited by hand;
   * - `filled`: the text of a serial from a metadata file;
   * - `text`: the whole search text, which consists of `own`, `filled` and the texts of the
   *   release's sources.
   */
  release_text: { release_id: number; own: string; filled: string; text: string };
  /** Fields that were edited by hand. Imports do not change these fields. */
  release_edit: { release_id: number; field: string; edited_at: string };
  /** A saved rule that selects releases. */
  release_set: {
    id: Generated<number>;
    name: string;
    /** Null if the set belongs to nobody. */
    owner_id: number | null;
    /** True if all users see the set. */
    shared: boolean;
    /** JSON of Rule. */
    rule: string;
    /** JSON of the preferred editions; null if all releases of the rule belong to the set. */
    prefer: string | null;
    created_at: string;
    updated_at: string;
  };
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
    /** When a scan found the file first; "" if an earlier version found it. */
    added_at: Generated<string>;
  };
  library_state: { name: string; value: string };
  /** One row, which contains the number of changes to `library_file`. */
  library_version: { number: number };
  /**
   * The origin of a cover that no user uploaded. `name` is the name of the cover file in
   * `stored_file`.
   */
  cover_origin: { release_id: number; kind: 'source' | 'disc'; origin: string; name: string };
  /** A request to a cover source that returned no cover for the release. */
  cover_miss: {
    release_id: number;
    source: string;
    kind: 'miss' | 'failure';
    reason: string;
    asked_at: string;
  };
  /** Releases whose cover a user removed and that have had no cover since. */
  cover_removal: { release_id: number; removed_at: string; removed_by: string };
  /** The number of downloads on each day (UTC), including downloads whose events were removed. */
  download_day: { day: string; count: number; bytes: number };
  download_event: {
    id: Generated<number>;
    user_id: number | null;
    /** The area of an archive; for a library file, the system of its root. */
    area: string;
    name: string;
    bytes: number;
    created_at: string;
    kind: Generated<'archive' | 'library'>;
  };
  /**
   * The checksum of each file when the file was written. A file whose size or time differs from
   * this record was added manually or is reserved for a change.
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
    /** The target of the change. Meanwhile, no other change may have the same target. */
    target: string;
    area: string;
    owner: string;
    reserved_at: string;
    /** JSON of Actor. */
    actor: string;
    /** JSON of FileChange. */
    change: string;
  };
  /** A file that is being uploaded, or was uploaded, in chunks. */
  upload: {
    id: Generated<number>;
    user_id: number;
    /** JSON of Actor. */
    actor: string;
    system: 'games' | 'videos' | 'dats';
    /** The folder in which the bytes are stored. */
    folder: string;
    filename: string;
    size: number;
    /** Number of bytes that are stored durably. */
    received: Generated<number>;
    replaces: boolean;
    /** The metadata, unchanged as the client sent it. */
    metadata: string;
    state: 'receiving' | 'checking' | 'done' | 'failed';
    detail: string | null;
    sha256: string | null;
    /** The process that checks the uploaded file. */
    owner: string | null;
    expires_at: string | null;
  };
  /** Chunks of uploads. `start` is the byte offset at which the chunk begins. */
  upload_chunk: { upload_id: number; start: number; size: number; sha256: string };
  job: {
    id: Generated<number>;
    kind: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';
    owner: string;
    /** JSON of the Actor who started the job. */
    actor: string;
    /** JSON of JobOptions. */
    options: string;
    /** True if a user asked the job to stop. The job reads this value on each heartbeat. */
    stopping: boolean;
    started_at: string;
    heartbeat_at: string;
    finished_at: string | null;
    /** JSON of JobProgress. */
    progress: string | null;
    /** JSON. */
    report: string | null;
    attempt: Generated<number>;
    attempts: Generated<number>;
    /** How often a process began the job. The number identifies a run of the job. */
    run: Generated<number>;
    /** The only host that may run the job; "" for any host. */
    host: Generated<string>;
    /** Earliest time of the next attempt, in milliseconds since 1970 by the database's clock. */
    due_at: number | null;
    /** JSON of the last step that the work completed. */
    step: string | null;
  };
  /**
   * At most one row: the current verification. Everything up to the position (`part`, `after`) has
   * been compared.
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
  /** A problem that the verification found. */
  verification_finding: {
    id: Generated<number>;
    part: string;
    kind: string;
    path: string;
    reason: string;
  };
  /**
   * Start times of automatic jobs, by kind. A kind whose schedule was never changed may have no
   * row.
   */
  schedule: {
    kind: string;
    is_on: boolean;
    /** 0 is Sunday; null means every day. */
    weekday: number | null;
    /** "HH:MM" by the server's clock. */
    time: string;
    /** Runs that were due up to this time were started or skipped. "" if no run was due yet. */
    counts_after: string;
  };
  /** Login attempts that failed or are still in progress. */
  login_try: {
    id: Generated<number>;
    /** The IP address; for IPv6, its /64 network. */
    network: string;
    /** Digest of the user name. Null after a later login with this name and network succeeded. */
    account: string | null;
    /**
     * When the attempt failed, or when it began if it has not failed. In milliseconds since 1970 by
     * the database's clock.
     */
    at: number;
    failed: boolean;
  };
  /** Networks from which a login with a user name succeeded. */
  familiar_network: {
    /** Digest of the user name. */
    account: string;
    /** The IP address; for IPv6, its /64 network. */
    network: string;
    /**
     * When the newest successful login happened, in milliseconds since 1970 by the database's
     * clock.
     */
    at: number;
  };
  /** The newest attempt from an unfamiliar network, for each user name with too many failures. */
  metered_try: {
    /** Digest of the user name. */
    account: string;
    try_id: number;
    /** When the attempt began, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  /**
   * Files whose bytes are stored as objects. For a short time, several names may have the same key.
   */
  stored_object: {
    area: string;
    name: string;
    /** Key of the object, relative to the URL of the object store. */
    key: string;
    size: number;
    /** A bigint if the value exceeds 2^53. */
    mtime_ns: bigint | number;
    sha256: string;
  };
  /**
   * The areas that have or had files in an object store. `revision` counts the changes of an area.
   */
  object_area: { area: string; revision: number };
  /** Objects that do not yet belong to a file, and objects that no longer belong to a file. */
  orphan_object: {
    key: string;
    /** When the object became an orphan, in milliseconds since 1970 by the database's clock. */
    since: number;
    /** True if the object is being deleted. A file must then never use the object again. */
    is_going: boolean;
  };
  /** A chunked upload whose bytes are stored in an object store. */
  object_upload: {
    folder: string;
    /** Key that the complete object will have. */
    key: string;
    /** Id of the multipart upload to which the uploaded parts belong; null if there is none. */
    parts_id: string | null;
    /** Size of the complete object. Null until all pieces are combined into the object. */
    whole_size: number | null;
  };
  /**
   * A piece of an upload in an object store. The piece begins at the byte offset `start`. The piece
   * is either an object of its own or a part of the complete object.
   */
  object_piece: {
    folder: string;
    start: number;
    size: number;
    key: string | null;
    part: number | null;
    part_tag: string | null;
  };
  /**
   * A lease on work that only one process at a time may do. The lease ends at `expires_at`, in
   * milliseconds since 1970 by the database's clock.
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
