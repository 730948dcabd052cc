import type { Generated } from 'kysely';

/** Archives and covers, their objects in a bucket, and downloads. */
export interface FileTables {
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
    kind: Generated<'archive' | 'library' | 'stream'>;
    /** Identifies the device, the file and the hour of a stream; null for downloads. */
    stream_key: string | null;
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
}
