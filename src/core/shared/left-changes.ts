import type { Clock } from './clock.ts';
import { CatalogError } from './errors.ts';
import type { FileArea, StoredFile } from './file-area.ts';
import type { FileChange, Reservation, ReservationRecords } from './file-change.ts';
import { findVersion } from './find-version.ts';
import { withoutLease } from './job-lease.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import type { OwnerStateOf } from './owner-state.ts';
import { pause } from './pause.ts';
import { removeOlder } from './remove-older.ts';

/**
 * A reservation older than this counts as abandoned if its owner's state is unknown: there is no
 * more than a rename between its two transactions.
 */
const leaseMs = 60_000;
const sweepBusyMs = 4_500;
const sweepAgainMs = 1_000;

/** The dependencies of file changes. */
export interface ChangeParts<Change extends FileChange> {
  readonly records: ReservationRecords<Change>;
  readonly areaOf: (change: Change) => FileArea;
  readonly clock: Clock;
  /** Name of this process. */
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  /** Called for each abandoned change that is settled, with whether it was made. */
  readonly onSettled: (change: Change, isMade: boolean) => void;
  /** Called with the error when a change cannot be settled, or files cannot be restored. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Recovers changes that were started and neither confirmed nor dropped, because their process ended
 * or the database was busy.
 */
export class LeftChanges<Change extends FileChange> {
  readonly #parts: ChangeParts<Change>;
  readonly #targets: OneAtATime;
  readonly #signal: AbortSignal;
  /** Per target, a completed change, and the older files next to it that could not be removed. */
  readonly #leftovers = new Map<string, { change: Change; files: readonly StoredFile[] }>();
  #isSweepDue = false;
  #sweeping: Promise<void> | null = null;

  /** `targets` runs the changes of this process one at a time per target; `signal` ends sweeps. */
  constructor(parts: ChangeParts<Change>, targets: OneAtATime, signal: AbortSignal) {
    this.#parts = parts;
    this.#targets = targets;
    this.#signal = signal;
  }

  /** Whether a reservation is abandoned. Call it only while holding the turn of its target. */
  async isLeft({ owner, reservedAt }: Reservation<Change>): Promise<boolean> {
    if (owner === this.#parts.owner) return true;
    const state = await this.#parts.ownerState(owner);
    if (state !== 'unknown') return state === 'ended';
    // A time in the future means that the clock was set back; it counts as equally far in the past.
    return Math.abs(this.#parts.clock.now() - Date.parse(reservedAt)) > leaseMs;
  }

  /** Confirms a change that was made, judging by the files, and drops one that was not. */
  async settle(reservation: Reservation<Change>, busyMs: number): Promise<void> {
    const { records, areaOf, onSettled, onFailure } = this.#parts;
    const { file, gone } = reservation.change;
    const area = areaOf(reservation.change);
    const stored = file && (await findVersion(area, file, this.#signal));
    const others = await filesThere(area, gone);
    const isMade = file === null ? others.length === 0 : stored !== null;
    if (!isMade) {
      await records.drop(reservation, busyMs);
      return onSettled(reservation.change, false);
    }
    // Keep a newer file: it was added since, perhaps manually.
    const older = others.filter(({ mtimeNs }) => stored !== null && mtimeNs < stored.mtimeNs);
    const names = older.map(({ name }) => name);
    const leftovers = stored && (await removeOlder(area, names, stored, onFailure));
    if (!(await records.confirm(reservation, stored, null, busyMs))) return;
    onSettled(reservation.change, true);
    this.removeLater(reservation.change, leftovers ?? []);
  }

  /** Removes files next to the one that replaced them, in the background, as soon as possible. */
  removeLater(change: Change, files: readonly StoredFile[]): void {
    if (files.length === 0) return;
    this.#leftovers.set(change.target, { change, files });
    this.sweep();
  }

  /**
   * Settles all abandoned changes in the background. Retries while the database accepts no writes
   * or the disk has no space.
   */
  sweep(): void {
    this.#isSweepDue = true;
    this.#sweeping ??= withoutLease(() => this.#sweepWhileDue()).finally(() => {
      this.#sweeping = null;
    });
  }

  /** Resolves when no sweep is running. */
  async swept(): Promise<void> {
    await this.#sweeping;
  }

  async #sweepWhileDue(): Promise<void> {
    while (this.#isSweepDue && !this.#signal.aborted) {
      this.#isSweepDue = false;
      await this.#attempt(async () => {
        for (const { id, change } of await this.#parts.records.listReservations()) {
          const inTurn = () => this.#targets.run(change.target, () => this.#settleIfLeft(id));
          await this.#attempt(inTurn);
        }
      });
      for (const target of this.#leftovers.keys()) {
        await this.#attempt(() => this.#targets.run(target, () => this.#removeLeftovers(target)));
      }
      if (this.#isSweepDue) await pause(sweepAgainMs, this.#signal).catch(() => undefined);
    }
  }

  /** Runs one step; a failure does not keep the other changes from being settled. */
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
   * Removes leftovers while the target is reserved, so that no other process gives one of the names
   * to a new file meanwhile.
   */
  async #removeLeftovers(target: string): Promise<void> {
    const { records, areaOf, owner } = this.#parts;
    const leftover = this.#leftovers.get(target);
    if (leftover === undefined) return;
    const { change, files } = leftover;
    const area = areaOf(change);
    const answer = await records.reserve(change, { kind: 'system' }, owner, sweepBusyMs);
    if (!('own' in answer)) return;
    try {
      for (const { name, etag } of files) {
        if ((await area.find(name))?.etag === etag) await area.remove(name);
      }
      this.#leftovers.delete(target);
    } catch {
      // already reported when it first failed; the next sweep tries again
    } finally {
      await records.drop(answer.own, sweepBusyMs);
    }
  }

  /** Settles a reservation if it is abandoned. It may have ended before its turn came. */
  async #settleIfLeft(id: number): Promise<void> {
    const all = await this.#parts.records.listReservations();
    const reservation = all.find((one) => one.id === id);
    if (reservation === undefined || !(await this.isLeft(reservation))) return;
    await this.settle(reservation, sweepBusyMs);
  }
}

/**
 * Returns the existing files, oldest first: the newest of several covers counts, even while they
 * are being removed.
 */
export async function filesThere(area: FileArea, names: readonly string[]): Promise<StoredFile[]> {
  const found = await Promise.all(names.map((name) => area.find(name)));
  return found.filter((file) => file !== null).sort((a, b) => Number(a.mtimeNs - b.mtimeNs));
}
