import type { Leases } from '../../core/shared/leases.ts';
import type { ObjectRecords } from '../../core/shared/object-records.ts';
import type { Bucket } from './bucket.ts';
import { mayPass } from './s3-error.ts';

const hourMs = 60 * 60 * 1000;
/** The longest download: who reads what was replaced or removed has so long. */
export const orphanMs = 24 * hourMs;
const atOnce = 100;

/** Deletes, behind, at once and every hour, the objects that have been orphans for long; one process does it at a time. */
export class ObjectSweeper {
  readonly #parts: {
    readonly bucket: Bucket;
    readonly records: ObjectRecords;
    readonly leases: Leases;
    readonly onFailure: (error: unknown) => void;
  };
  readonly #timer: NodeJS.Timeout;
  #sweeping: Promise<void>;
  #isClosed = false;

  constructor(parts: {
    bucket: Bucket;
    records: ObjectRecords;
    leases: Leases;
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

  /** What fails is tried again an hour later. */
  async #sweep(): Promise<void> {
    const { bucket, records, leases, onFailure } = this.#parts;
    const isStopped = () => this.#isClosed;
    const work = async () => {
      while (
        !this.#isClosed &&
        (await sweepObjects(bucket, records, orphanMs, isStopped)) === atOnce
      );
    };
    await leases.tryHold('orphan objects', work).catch(onFailure);
  }
}

/**
 * Deletes some objects that have been orphans for so long, with parts of them, until `isStopped`. Returns how many. One that
 * cannot be deleted does not keep the others, and is an orphan of now: what it threw is thrown at the end, but `busy` at once.
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
      await bucket.abortParts(key);
      await bucket.remove(key);
      await records.forget(key);
    } catch (error) {
      if (mayPass(error)) throw error;
      failures.push(error);
      await records.noteOrphan(key); // behind the others, which are more than one look takes
    }
  }
  if (failures.length > 0) throw failures[0];
  return keys.length;
}
