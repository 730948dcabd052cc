import type { Limiter } from '../../../core/shared/concurrency/limiter.ts';
import type {
  ObjectRecords,
  ObjectUploadRecords,
} from '../../../core/shared/files/object-records.ts';
import type { HashThread } from '../../hashes/hash-thread.ts';
import type { Bucket } from '../client/bucket.ts';

/** The services that an area in an object store needs. */
export interface ObjectAreaParts {
  /** The area's name in the database, which is also the prefix of the area's keys. */
  readonly area: string;
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
  /** Hashes objects that are read as a whole. */
  readonly hashes: HashThread;
  /** Folder for temporary files on the way to the store. */
  readonly tmp: string;
}

/** The services that uploads in an object store need. */
export interface ObjectUploadParts {
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
  readonly uploads: ObjectUploadRecords;
  /** Limits the number of concurrent joins of pieces. */
  readonly joins: Limiter;
  /** Folder for a chunk until it is in the store, and for a DAT while it is read. */
  readonly tmp: string;
}
