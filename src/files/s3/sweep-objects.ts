import type { Leases } from '../../core/shared/leases.ts';
import type { ObjectRecords } from '../../core/shared/object-records.ts';
import type { Bucket } from './bucket.ts';

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
    const work = async () => {
      while (!this.#isClosed && (await sweepObjects(bucket, records, orphanMs)) === atOnce);
    };
    await leases.tryHold('orphan objects', work).catch(onFailure);
  }
}

/** Deletes some objects that have been orphans for so long, with parts of them. Returns how many. */
export async function sweepObjects(
  bucket: Bucket,
  records: ObjectRecords,
  ageMs: number,
): Promise<number> {
  const keys = await records.claimOld(ageMs, atOnce);
  for (const key of keys) {
    await bucket.abortParts(key);
    await bucket.remove(key);
    await records.forget(key);
  }
  return keys.length;
}
