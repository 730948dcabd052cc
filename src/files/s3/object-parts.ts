import type { Limiter } from '../../core/shared/limiter.ts';
import type { ObjectRecords, ObjectUploadRecords } from '../../core/shared/object-records.ts';
import type { Bucket } from './bucket.ts';

/** What an area in an object store works with. */
export interface ObjectAreaParts {
  /** In front of its keys, and its name in the database. */
  readonly area: string;
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
  /** Where bytes lie on their way to the store. */
  readonly tmp: string;
}

/** What uploads in an object store work with. */
export interface ObjectUploadParts {
  readonly bucket: Bucket;
  readonly records: ObjectRecords;
  readonly uploads: ObjectUploadRecords;
  /** Where those wait that join pieces. */
  readonly joins: Limiter;
  /** Where a chunk lies until the store has it, and a DAT while it is read. */
  readonly tmp: string;
}
