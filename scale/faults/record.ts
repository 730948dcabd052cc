import { DownloadRecord } from './downloads.ts';

/** The value of an item that does not exist. */
export const absent = null;

/** The writes of one item. Only one client of the load changes an item. */
interface Item {
  /** Number of the newest attempt with each value; the first attempt has number 1. */
  readonly attempts: Map<string | null, number>;
  /**
   * Values whose write was neither acknowledged nor refused. Such a write may be carried out at any
   * time.
   */
  readonly uncertain: Set<string | null>;
  last: number;
  /** Number of the newest acknowledged attempt, 0 for none. */
  acknowledged: number;
}

/** The numbers of acknowledged and of uncertain writes with the same audit entry. */
interface Entry {
  acknowledged: number;
  uncertain: number;
}

/** A write that a job carries out. */
export interface WriteOfJob {
  readonly item: string;
  /** Name of the audit entry that the write creates. */
  readonly entry: string;
  /** The value of the item if the job fails. */
  readonly undone: string;
}

/** The outcome of a write, as the response states it. */
export type WriteOutcome = 'acknowledged' | 'refused' | 'uncertain';

/** Returns the outcome of a write by its status. The status 0 means that there was no response. */
export function outcomeOfWrite(status: number): WriteOutcome {
  if (status >= 200 && status < 300) return 'acknowledged';
  return status >= 400 && status < 500 ? 'refused' : 'uncertain';
}

/**
 * The record of all writes of a load: the values that each item may have, and the entries that the
 * audit must have. Each value of an item is unique, except `absent`.
 */
export class WriteRecord {
  readonly downloads = new DownloadRecord();
  readonly #items = new Map<string, Item>();
  readonly #entries = new Map<string, Entry>();
  readonly #jobs = new Map<number, WriteOfJob>();
  readonly #reported = new Set<string>();
  #touched = new Set<string>();
  #acknowledged = 0;
  #number = 0;

  /** Returns a number that was not returned before. */
  nextNumber(): number {
    this.#number += 1;
    return this.#number;
  }

  /** Number of acknowledged writes and downloads. */
  get acknowledged(): number {
    return this.#acknowledged + this.downloads.acknowledged;
  }

  /** Names of all items with an acknowledged value. */
  get items(): string[] {
    return [...this.#items].filter(([, { acknowledged }]) => acknowledged > 0).map(([id]) => id);
  }

  /** Returns the items of `items` that were written since the last call. */
  takeTouched(): string[] {
    const touched = this.#touched;
    this.#touched = new Set();
    return this.items.filter((item) => touched.has(item));
  }

  /**
   * Writes a value. Writes of one item must not overlap. `entry` names the audit entry of the
   * write. Each acknowledged write must create exactly one.
   */
  async write(
    id: string,
    value: string | null,
    entry: string,
    send: () => Promise<WriteOutcome>,
  ): Promise<WriteOutcome> {
    const item = this.#items.get(id) ?? {
      ...{ attempts: new Map(), uncertain: new Set(), last: 0, acknowledged: 0 },
    };
    this.#items.set(id, item);
    this.#touched.add(id);
    item.last += 1;
    item.attempts.set(value, item.last);
    const outcome = await send();
    const counts = this.#entries.get(entry) ?? { acknowledged: 0, uncertain: 0 };
    this.#entries.set(entry, counts);
    if (outcome === 'acknowledged') {
      item.acknowledged = item.last;
      counts.acknowledged += 1;
      this.#acknowledged += 1;
    } else if (outcome === 'uncertain') {
      item.uncertain.add(value);
      counts.uncertain += 1;
    }
    return outcome;
  }

  /** Records which write the job with this id carries out. */
  recordJob(id: number, write: WriteOfJob): void {
    this.#jobs.set(id, write);
  }

  /** Records that a job failed. From then on, only a state without its write is allowed. */
  failJob(id: number): void {
    const write = this.#jobs.get(id);
    if (write === undefined) return;
    this.setExpected(write.item, write.undone);
    this.#entries.set(write.entry, { acknowledged: 0, uncertain: 0 });
  }

  /** Returns the number of the newest acknowledged write of an item, as the `mark` for `allows`. */
  mark(id: string): number {
    return this.#items.get(id)?.acknowledged ?? 0;
  }

  /**
   * Returns true if a read that began at `mark` may return the value `found`. Allowed values are
   * the value that was acknowledged last before the read, newer values, and values with an
   * uncertain outcome.
   */
  allows(id: string, found: string | null, mark = this.mark(id)): boolean {
    const item = this.#items.get(id);
    if (item === undefined || mark === 0) return true;
    const attempt = item.attempts.get(found);
    return attempt !== undefined && (attempt >= mark || item.uncertain.has(found));
  }

  /** From now on, allows only the value `found`. The item must not be written any more. */
  setExpected(id: string, found: string | null): void {
    const item = this.#items.get(id);
    item?.attempts.clear();
    item?.uncertain.clear();
    item?.attempts.set(found, item.acknowledged);
  }

  /**
   * Compares the audit with the writes. `audit` contains the number of entries by name. `lost` has
   * the names with fewer entries than acknowledged writes. `doubled` has the names with more
   * entries than writes that may have been carried out. Each name is reported once.
   */
  compareAudit(audit: ReadonlyMap<string, number>): { lost: string[]; doubled: string[] } {
    const [lost, doubled]: [string[], string[]] = [[], []];
    for (const [name, { acknowledged, uncertain }] of this.#entries) {
      if (this.#reported.has(name)) continue;
      const count = audit.get(name) ?? 0;
      if (count < acknowledged) lost.push(name);
      if (count > acknowledged + uncertain) doubled.push(name);
    }
    for (const name of [...lost, ...doubled]) this.#reported.add(name);
    return { lost, doubled };
  }

  /** Lets `compareAudit` report names again that it has reported before. */
  forgetReports(): void {
    this.#reported.clear();
  }
}
