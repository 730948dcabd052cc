import type { Generated } from 'kysely';
import type { MetadataColumn, OwnField } from '../core/shared/release-fields.ts';

type OwnColumns = Record<OwnField, string>;

/** The tables as the migrations leave them; adapters turn rows into core's types. Timestamps are ISO 8601 text. */
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
  /** One publisher's DAT of a platform, in its versions. */
  source: {
    id: Generated<number>;
    platform_id: number;
    /** As it was named with `--source`; "" when it was not. */
    name: string;
    header_name: string;
    system: string;
  };
  /** One file that was imported. */
  import: {
    id: Generated<number>;
    platform_id: number;
    /** Null for a metadata file. */
    source_id: number | null;
    /** Whether the file states metadata in rows of their own. */
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
  /** The releases that readers see: all but those of an import that has not come to its end. */
  listed_release: Omit<Tables['release'], 'id' | 'revision'> & { id: number; revision: number };
  /**
   * How many releases have each combination; the engine counts them with every change. `platform_id` is 0 for none, `hidden`
   * are those of an unfinished import.
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
   * A number per part that moves with every change of what it shows; the engine sees to that, but for files, and for the
   * library, which counts its refreshes.
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
  /** What files are looked up by: the sha1, md5 and crc32:size of each ROM. */
  rom_hash: { hash: string; release_id: number };
  /** What a source says of a release, beside what the release shows. */
  source_row: {
    source_id: number;
    release_id: number;
    dump_sha1: string;
    dump_md5: string;
    dump_crc: string;
    /** Digest of the row's ROMs, names included: tells at once whether they changed. */
    roms_digest: string;
    /** Folded name and serials, for search. */
    search: string;
    /** The source that brought the release, which shows what it says. */
    is_shown: boolean;
    /** The newest version of the source no longer lists it. */
    gone: boolean;
  } & OwnColumns;
  release_meta: {
    release_id: number;
    title: string;
    manual: boolean;
  } & Record<MetadataColumn, string | null>;
  /** What metadata files say, kept for releases that come later. */
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
   * What search looks at: `own` for what the release shows since it was edited, `filled` for its serial from a metadata
   * file, `text` with what its sources say added.
   */
  release_text: { release_id: number; own: string; filled: string; text: string };
  /** Fields that were edited by hand; an import leaves them alone. */
  release_edit: { release_id: number; field: string; edited_at: string };
  library_root: {
    id: Generated<number>;
    path: string;
    system: string;
    scanned_at: string | null;
    /** Why the last scan could say nothing of it, as a sentence about "it". */
    problem: string | null;
    /** Whose it is, where several hosts share the database; "" for nobody's. */
    host: Generated<string>;
  };
  /** A file below a library root; the hashes are those of this size and modification time. */
  library_file: {
    id: Generated<number>;
    root_id: number;
    path: string;
    name: string;
    size: number;
    /** Beyond 2^53. */
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
    /** Of the release, else of the root; as it was when the file was matched. */
    system: string;
    /** What search looks at, see `librarySearchText`. */
    search: string;
    /** JSON: the ids of the releases between which nothing decided; null when there are none. */
    tied: string | null;
    /** Of a sheet, JSON: the files that it names. */
    sheet: string | null;
    /** Of the set that it was matched with; "" when that is to be done again, null when it was matched by itself. */
    set_key: string | null;
    /** What read it, in which version; "" when that is not known. */
    reader: Generated<string>;
    /** JSON: what was read, and what each piece pointed at. */
    evidence: string;
    /** What the release, the method and the candidates come to. */
    state: Generated<'matched' | 'by-name' | 'ambiguous' | 'unknown'>;
    /** That of `identity`. */
    problem: string | null;
  };
  library_state: { name: string; value: string };
  /** One row; counts the changes to `library_file`. */
  library_version: { number: number };
  /** Of a cover that nobody uploaded: where it came from, and its name in `stored_file`. */
  cover_origin: { release_id: number; kind: 'source' | 'disc'; origin: string; name: string };
  /** What a source answered that had no cover. */
  cover_miss: {
    release_id: number;
    source: string;
    kind: 'miss' | 'failure';
    reason: string;
    asked_at: string;
  };
  /** Releases whose cover somebody removed, until one is put again. */
  cover_removal: { release_id: number; removed_at: string; removed_by: string };
  /** The downloads of each day (UTC), also those whose events were removed. */
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
   * The checksum of every file as it was written. A file of another size or time was laid there by hand, or is the
   * subject of a reservation.
   */
  stored_file: {
    area: string;
    name: string;
    size: number;
    mtime_ns: bigint;
    sha256: string;
    written_at: string;
  };
  /** A change of files that is under way, or was broken off (docs/decisions/0006-files.md). */
  file_reservation: {
    id: Generated<number>;
    /** What nobody else changes meanwhile. */
    target: string;
    area: string;
    owner: string;
    reserved_at: string;
    /** JSON of Actor. */
    actor: string;
    /** JSON of FileChange. */
    change: string;
  };
  /** A file that comes in chunks. */
  upload: {
    id: Generated<number>;
    user_id: number;
    /** JSON of Actor. */
    actor: string;
    system: 'games' | 'videos' | 'dats';
    /** Where its bytes lie. */
    folder: string;
    filename: string;
    size: number;
    /** Bytes that are safe on disk. */
    received: Generated<number>;
    replaces: boolean;
    /** As the client sent it. */
    metadata: string;
    state: 'receiving' | 'checking' | 'done' | 'failed';
    detail: string | null;
    sha256: string | null;
    /** The process that checks it. */
    owner: string | null;
    expires_at: string | null;
  };
  /** `start` is where it begins. */
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
    /** Somebody asked it to stop; each heartbeat looks. */
    stopping: boolean;
    started_at: string;
    heartbeat_at: string;
    finished_at: string | null;
    /** JSON of JobProgress. */
    progress: string | null;
    /** JSON. */
    report: string | null;
  };
  /** At most one row: the verification under way, and up to where everything was compared. */
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
  /** What it found. */
  verification_finding: {
    id: Generated<number>;
    part: string;
    kind: string;
    path: string;
    reason: string;
  };
  /** When a kind of job starts by itself; one row for each kind that may. */
  schedule: {
    kind: string;
    is_on: boolean;
    /** 0 is Sunday; null every day. */
    weekday: number | null;
    /** "HH:MM" by the server's clock. */
    time: string;
    /** What was due until then is done with; "" when nothing was. */
    counts_after: string;
  };
  /** Tries to log in that failed or are under way. */
  login_try: {
    id: Generated<number>;
    /** The address, of IPv6 its /64. */
    network: string;
    /** Digest of the user name; null once a login of that name and network succeeded. */
    account: string | null;
    /** Milliseconds since 1970 by the database's clock: when it began, then when it failed. */
    at: number;
    failed: boolean;
  };
  /** The networks from which a login to a name succeeded. */
  familiar_network: {
    /** Digest of the user name. */
    account: string;
    /** The address, of IPv6 its /64. */
    network: string;
    /** The newest such login, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  /** The newest try of an unfamiliar network for a name that has too many failures. */
  metered_try: {
    /** Digest of the user name. */
    account: string;
    try_id: number;
    /** When it began, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  /** A file whose bytes are an object of a store; several names may have one key for a moment. */
  stored_object: {
    area: string;
    name: string;
    /** Below the address of the store. */
    key: string;
    size: number;
    /** Beyond 2^53. */
    mtime_ns: bigint | number;
    sha256: string;
  };
  /** The areas that ever had such a file; counts their changes. */
  object_area: { area: string; revision: number };
  /** An object that no file is: not yet, or not any more. */
  orphan_object: {
    key: string;
    /** Milliseconds since 1970 by the database's clock. */
    since: number;
    /** It is being deleted, and gets no name again. */
    is_going: boolean;
  };
  /** An upload in chunks whose bytes lie in an object store. */
  object_upload: {
    folder: string;
    /** Of the whole. */
    key: string;
    /** The store's name for the parts of it that are there; null without any. */
    parts_id: string | null;
    /** Null until its pieces are one object. */
    whole_size: number | null;
  };
  /** Bytes of such an upload, from `start` on: an object of their own, or a part of the whole. */
  object_piece: {
    folder: string;
    start: number;
    size: number;
    key: string | null;
    part: number | null;
    part_tag: string | null;
  };
  /** What one process at a time does; until when it has it, in milliseconds since 1970 by the database's clock. */
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
