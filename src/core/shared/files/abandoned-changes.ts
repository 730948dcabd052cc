import type { Clock } from '../clock.ts';
import type { OneAtATime } from '../concurrency/one-at-a-time.ts';
import { pause } from '../concurrency/pause.ts';
import { CatalogError } from '../errors.ts';
import { withoutLease } from '../processes/job-lease.ts';
import type { OwnerStateOf } from '../processes/owner-state.ts';
import { removeOlder, removeVersion } from '../remove-older.ts';
import type { FileArea, StoredFile } from './file-area.ts';
import type { FileChange, Reservation, ReservationRecords } from './file-change.ts';
import { findVersion } from './find-version.ts';
import { withReservation } from './reserved-work.ts';

/**
 * Age in milliseconds from which a reservation counts as abandoned if the state of its owner is
 * unknown. A change in progress does not reach this age, because it only renames files between its
 * two transactions.
 */
const leaseMs = 60_000;
const sweepBusyMs = 4_500;
const sweepAgainMs = 1_000;

/** The dependencies of `FileChanges` and `AbandonedChanges`. */
export interface ChangeParts<Change extends FileChange> {
  readonly records: ReservationRecords<Change>;
  readonly areaOf: (change: Change) => FileArea;
  readonly clock: Clock;
  /** The name of this process. */
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  /**
   * Returns a time in milliseconds that never decreases. It also advances while the machine sleeps.
   */
  readonly elapsed: () => number;
  /**
   * Called for each abandoned change that was recovered. `isMade` is true if the change was
   * confirmed, and false if the reservation was dropped.
   */
  readonly onRecovered: (change: Change, isMade: boolean) => void;
  /**
   * Called with the error when a change cannot be recovered, or when previous files cannot be
   * restored.
   */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Recovers changes that were started, but neither confirmed nor dropped. Such a change was left
 * behind because its process ended or the database was busy.
 */
export class AbandonedChanges<Change extends FileChange> {
  readonly #parts: ChangeParts<Change>;
  readonly #targets: OneAtATime;
  readonly #signal: AbortSignal;
  /**
   * The newest completed change of each target, and the older files that this change and earlier
   * ones replaced but could not remove.
   */
  readonly #leftovers = new Map<string, { change: Change; files: readonly StoredFile[] }>();
  #isSweepDue = false;
  #sweeping: Promise<void> | null = null;

  /**
   * `targets` must run the changes of each target one at a time within this process. `signal` stops
   * sweeps.
   */
  constructor(parts: ChangeParts<Change>, targets: OneAtATime, signal: AbortSignal) {
    this.#parts = parts;
    this.#targets = targets;
    this.#signal = signal;
  }

  /**
   * Returns true if a reservation is abandoned. Call this method only while no other change of the
   * same target runs in this process.
   */
  async isAbandoned({ owner, reservedAt }: Reservation<Change>): Promise<boolean> {
    if (owner === this.#parts.owner) return true;
    const state = await this.#parts.ownerState(owner);
    if (state !== 'unknown') return state === 'ended';
    // A time in the future means that the clock was set back. In this case the difference counts as
    // the age.
    return Math.abs(this.#parts.clock.now() - Date.parse(reservedAt)) > leaseMs;
  }

  /**
   * Recovers an abandoned reservation. Confirms the change if the files show that the change was
   * made. Drops the reservation otherwise.
   */
  async recover(reservation: Reservation<Change>, busyMs: number): Promise<void> {
    const { records, areaOf, onRecovered, onFailure } = this.#parts;
    const { file, gone } = reservation.change;
    const area = areaOf(reservation.change);
    const stored = file && (await findVersion(area, file, this.#signal));
    const others = await existingFiles(area, gone);
    const isMade = file === null ? others.length === 0 : stored !== null;
    if (!isMade) {
      await records.drop(reservation, busyMs);
      return onRecovered(reservation.change, false);
    }
    // Do not remove a file that is newer than `stored`, because it was added after the change,
    // perhaps manually.
    const older = others.filter(({ mtimeNs }) => stored !== null && mtimeNs < stored.mtimeNs);
    // If another process has recovered the change, users may have stored files since.
    if (!(await records.exists(reservation))) return;
    const leftovers =
      stored &&
      (await withReservation(reservation.id, () => removeOlder(area, older, stored, onFailure)));
    if (!(await records.confirm(reservation, stored, null, busyMs))) return;
    onRecovered(reservation.change, true);
    this.removeLater(reservation.change, leftovers ?? []);
  }

  /**
   * Removes older files that a new file replaced. The removal starts in the background as soon as
   * possible.
   */
  removeLater(change: Change, files: readonly StoredFile[]): void {
    if (files.length === 0) return;
    const earlier = this.#leftovers.get(change.target)?.files ?? [];
    const byName = new Map([...earlier, ...files].map((file) => [file.name, file]));
    this.#leftovers.set(change.target, { change, files: [...byName.values()] });
    this.sweep();
  }

  /**
   * Recovers all abandoned changes in the background. Tries again while the database accepts no
   * writes or the disk is full.
   */
  sweep(): void {
    this.#isSweepDue = true;
    this.#sweeping ??= withoutLease(() => this.#sweepWhileDue()).finally(() => {
      this.#sweeping = null;
    });
  }

  /** Resolves when no sweep is in progress. */
  async waitForSweep(): Promise<void> {
    await this.#sweeping;
  }

  async #sweepWhileDue(): Promise<void> {
    while (this.#isSweepDue && !this.#signal.aborted) {
      this.#isSweepDue = false;
      await this.#attempt(async () => {
        for (const { id, change } of await this.#parts.records.listReservations()) {
          const inTurn = () => this.#targets.run(change.target, () => this.#recoverIfAbandoned(id));
          await this.#attempt(inTurn);
        }
      });
      for (const target of this.#leftovers.keys()) {
        await this.#attempt(() => this.#targets.run(target, () => this.#removeLeftovers(target)));
      }
      if (this.#isSweepDue) await pause(sweepAgainMs, this.#signal).catch(() => undefined);
    }
  }

  /** Runs one step of a sweep. A failed step does not prevent the recovery of other changes. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#signal.aborted) return;
      if (error instanceof CatalogError) this.#isSweepDue = true;
      else this.#parts.onFailure(error);
    }
  }

  /**
   * Removes older files that a new file replaced. The target is reserved during the removal, so
   * that no other process gives one of the names to a new file.
   */
  async #removeLeftovers(target: string): Promise<void> {
    const { records, areaOf, owner } = this.#parts;
    const leftover = this.#leftovers.get(target);
    if (leftover === undefined) return;
    const { change, files } = leftover;
    const area = areaOf(change);
    const outcome = await records.reserve(change, { kind: 'system' }, owner, sweepBusyMs);
    if (!('reserved' in outcome)) return;
    try {
      if (!(await records.exists(outcome.reserved))) return;
      await withReservation(outcome.reserved.id, async () => {
        for (const file of files) await removeVersion(area, file);
      });
      // If another change of the target left files meanwhile, the next sweep removes them.
      if (this.#leftovers.get(target) === leftover) this.#leftovers.delete(target);
    } catch {
      // The error was reported when it first occurred. The next sweep tries to remove the files
      // again.
    } finally {
      await records.drop(outcome.reserved, sweepBusyMs);
    }
  }

  /**
   * Recovers a reservation if it is abandoned. Does nothing if the reservation has already ended.
   */
  async #recoverIfAbandoned(id: number): Promise<void> {
    const all = await this.#parts.records.listReservations();
    const reservation = all.find((one) => one.id === id);
    if (reservation === undefined || !(await this.isAbandoned(reservation))) return;
    await this.recover(reservation, sweepBusyMs);
  }
}

/**
 * Returns the files that exist under these names, oldest first. If callers remove the files in this
 * order, the newest file, which is the current one, is removed last.
 */
export async function existingFiles(
  area: FileArea,
  names: readonly string[],
): Promise<StoredFile[]> {
  const found = await Promise.all(names.map((name) => area.find(name)));
  return found.filter((file) => file !== null).sort((a, b) => Number(a.mtimeNs - b.mtimeNs));
}
