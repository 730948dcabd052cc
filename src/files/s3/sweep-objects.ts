import type { ObjectRecords } from '../../core/shared/files/object-records.ts';
import type { Leases } from '../../core/shared/processes/leases.ts';
import type { Bucket } from './client/bucket.ts';
import { dropObject } from './client/drop-objects.ts';
import { isTransient } from './client/s3-error.ts';

const hourMs = 60 * 60 * 1000;
const atOnce = 100;

/**
 * Deletes old orphan objects in the background, at once and then every hour. Only one process
 * sweeps at a time.
 */
export class ObjectSweeper {
  readonly #parts: {
    readonly bucket: Bucket;
    readonly records: ObjectRecords;
    readonly leases: Leases;
    readonly keepReplacedMs: number;
    readonly onFailure: (error: unknown) => void;
  };
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void>;
  #isClosed = false;

  constructor(parts: {
    bucket: Bucket;
    records: ObjectRecords;
    leases: Leases;
    /**
     * Age at which orphans are deleted, in milliseconds. Until then, a replaced or removed object
     * can still be read, so this is also the maximum duration of a download.
     */
    keepReplacedMs: number;
    onFailure: (error: unknown) => void;
  }) {
    this.#parts = parts;
    this.#sweeping = this.#sweep();
    this.#timer = setInterval(() => {
      this.#sweeping = this.#sweep();
    }, hourMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  /** Runs a sweep. If the sweep fails, the next attempt is an hour later. */
  async #sweep(): Promise<void> {
    const { bucket, records, leases, keepReplacedMs, onFailure } = this.#parts;
    const isStopped = () => this.#isClosed;
    const work = async () => {
      while (
        !this.#isClosed &&
        (await sweepObjects(bucket, records, keepReplacedMs, isStopped)) === atOnce
      );
    };
    await leases.tryRun('orphan objects', work).catch(onFailure);
  }
}

/**
 * Deletes a batch of objects that have been orphans for at least `ageMs`, with their unfinished
 * multipart uploads. Stops when `isStopped` returns true. Returns the number of orphans that were
 * found. If an object cannot be deleted, the sweep records it as a new orphan and continues with
 * the others. The first such error is thrown at the end. An error that may be temporary is thrown
 * at once.
 */
export async function sweepObjects(
  bucket: Bucket,
  records: ObjectRecords,
  ageMs: number,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const keys = await records.claimOld(ageMs, atOnce);
  const failures: unknown[] = [];
  for (const key of keys) {
    if (isStopped()) break;
    try {
      await dropObject(bucket, key);
      await records.forget(key);
    } catch (error) {
      if (isTransient(error)) throw error;
      failures.push(error);
      await records.recordOrphan(key); // so that the next batch starts with the other orphans
    }
  }
  if (failures.length > 0) throw failures[0];
  return keys.length;
}
