import { DownloadRecord } from './downloads.ts';

/** The value of something that does not exist. */
export const absent = null;

/** Something that only one client of the load changes, and the values that it was given. */
interface Item {
  /** Number of the newest attempt with each value; the first attempt has number 1. */
  readonly attempts: Map<string | null, number>;
  /** Values whose write got neither success nor refusal: it may be carried out at any time. */
  readonly uncertain: Set<string | null>;
  last: number;
  /** Number of the newest acknowledged attempt, 0 for none. */
  acknowledged: number;
}

/** How often an entry must be in the audit. */
interface Entry {
  acknowledged: number;
  uncertain: number;
}

/** A write that a job carries out. */
export interface WriteOfJob {
  readonly item: string;
  /** The entry of the audit that the write leaves. */
  readonly entry: string;
  /** The value of the item if the job fails. */
  readonly undone: string;
}

/** The outcome of a write, as the response states it. */
export type WriteOutcome = 'acknowledged' | 'refused' | 'uncertain';

/** Returns what the status of a write says about its outcome. 0 stands for no response. */
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
   * Writes a value. Writes of one item must not overlap. `entry` is the entry of the audit that an
   * acknowledged write must leave exactly once per write.
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

  /** Notes which write the job of this id carries out. */
  noteJob(id: number, write: WriteOfJob): void {
    this.#jobs.set(id, write);
  }

  /** Notes that the server reported the failure of a job. Its write must not have been done. */
  failJob(id: number): void {
    const write = this.#jobs.get(id);
    if (write === undefined) return;
    this.settle(write.item, write.undone);
    this.#entries.set(write.entry, { acknowledged: 0, uncertain: 0 });
  }

  /** Returns a mark of the present for `allows`. */
  mark(id: string): number {
    return this.#items.get(id)?.acknowledged ?? 0;
  }

  /**
   * Returns true if a read that began at `mark` may show the value `found`: the value that was
   * acknowledged last before the read, a newer one, or one with an uncertain outcome.
   */
  allows(id: string, found: string | null, mark = this.mark(id)): boolean {
    const item = this.#items.get(id);
    if (item === undefined || mark === 0) return true;
    const attempt = item.attempts.get(found);
    return attempt !== undefined && (attempt >= mark || item.uncertain.has(found));
  }

  /** From now on, allows only the value `found`. Nothing may be written any more. */
  settle(id: string, found: string | null): void {
    const item = this.#items.get(id);
    item?.attempts.clear();
    item?.uncertain.clear();
    item?.attempts.set(found, item.acknowledged);
  }

  /**
   * Compares the audit, as the number of entries of each name, with the writes. Returns the names
   * of acknowledged writes that are not in it, and of writes that were done more often than sent.
   * Each name is reported once.
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

  /** Reports from now on also what was reported before. */
  forgetReports(): void {
    this.#reported.clear();
  }
}
