import type { Clock } from '../shared/clock.ts';
import type { Leases } from '../shared/processes/leases.ts';
import type { OldRecordRemovals } from './ports.ts';

const everyMs = 60 * 60 * 1000;
/**
 * Maximum number of rows that one transaction removes. The limit is small, so that other writes do
 * not wait long.
 */
const maxAtOnce = 500;

/** How long each kind of record is stored, in milliseconds; null means for ever. */
export interface RetentionPeriods {
  readonly audit: number | null;
  readonly downloads: number | null;
}

/**
 * Removes audit entries and download records that are too old, in the background. Removes nothing
 * unless an age is configured.
 */
export class OldRecordSweeper {
  readonly #removals: OldRecordRemovals;
  readonly #retention: RetentionPeriods;
  readonly #leases: Pick<Leases, 'tryRun'>;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #removing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: {
    removals: OldRecordRemovals;
    retention: RetentionPeriods;
    leases: Pick<Leases, 'tryRun'>;
    clock: Clock;
    onFailure: (error: unknown) => void;
  }) {
    this.#removals = parts.removals;
    this.#retention = parts.retention;
    this.#leases = parts.leases;
    this.#clock = parts.clock;
    this.#onFailure = parts.onFailure;
  }

  /** Removes old records now, and every hour until `close`. */
  begin(): void {
    const { audit, downloads } = this.#retention;
    if (audit === null && downloads === null) return;
    this.#timer = setInterval(() => void this.remove(), everyMs).unref();
    void this.remove();
  }

  /**
   * Removes all records that are too old, unless another process is removing them. Never rejects;
   * `begin` tries a failed removal again after an hour.
   */
  remove(): Promise<void> {
    this.#removing = this.#removing
      .then(async () => {
        await this.#leases.tryRun('old records', () => this.#removeAll());
      })
      .catch(this.#onFailure);
    return this.#removing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#removing;
  }

  async #removeAll(): Promise<void> {
    const { audit, downloads } = this.#retention;
    if (audit !== null) {
      await this.#removeBefore(audit, (before) => this.#removals.removeAudit(before, maxAtOnce));
    }
    if (downloads !== null) {
      await this.#removeBefore(downloads, (before) =>
        this.#removals.removeDownloads(before, maxAtOnce),
      );
    }
  }

  async #removeBefore(
    maxAgeMs: number,
    removeSome: (before: string) => Promise<number>,
  ): Promise<void> {
    const before = new Date(this.#clock.now() - maxAgeMs).toISOString();
    while (!this.#isClosed && (await removeSome(before)) === maxAtOnce);
  }
}
