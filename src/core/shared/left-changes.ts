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

/** A reservation of this age is left, whoever made it: between its two transactions lies no more than a rename. */
const leaseMs = 60_000;
const sweepBusyMs = 4_500;
const sweepAgainMs = 1_000;

/** What changes of files need from around them. */
export interface ChangeParts<Change extends FileChange> {
  readonly records: ReservationRecords<Change>;
  readonly areaOf: (change: Change) => FileArea;
  readonly clock: Clock;
  /** This process. */
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  /** Told of each change that was left and is settled now, and whether it was made. */
  readonly onSettled: (change: Change, isMade: boolean) => void;
  /** Told what a sweep could not settle, and what could not be put back. */
  readonly onFailure: (error: unknown) => void;
}

/** Changes that were begun and neither confirmed nor dropped, because their process ended or the database was busy. */
export class LeftChanges<Change extends FileChange> {
  readonly #parts: ChangeParts<Change>;
  readonly #targets: OneAtATime;
  readonly #signal: AbortSignal;
  /** By target: changes that were made, and the older files beside them that could not be removed. */
  readonly #leftovers = new Map<string, { change: Change; files: readonly StoredFile[] }>();
  #isSweepDue = false;
  #sweeping: Promise<void> | null = null;

  /** `targets`: where the changes of this process take their turns; `signal` ends sweeps. */
  constructor(parts: ChangeParts<Change>, targets: OneAtATime, signal: AbortSignal) {
    this.#parts = parts;
    this.#targets = targets;
    this.#signal = signal;
  }

  /** Whether nobody works on a reservation; asked by whoever has the turn of its target. */
  async isLeft({ owner, reservedAt }: Reservation<Change>): Promise<boolean> {
    if (owner === this.#parts.owner) return true;
    const state = await this.#parts.ownerState(owner);
    if (state !== 'unknown') return state === 'ended';
    // From the future means that the clock was set back; it counts as of the same age.
    return Math.abs(this.#parts.clock.now() - Date.parse(reservedAt)) > leaseMs;
  }

  /** Confirms a change that was made, as the files show, and drops one that was not. */
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
    // A newer file was added since, perhaps manually: it stays.
    const older = others.filter(({ mtimeNs }) => stored !== null && mtimeNs < stored.mtimeNs);
    const names = older.map(({ name }) => name);
    const leftovers = stored && (await removeOlder(area, names, stored, onFailure));
    if (!(await records.confirm(reservation, stored, null, busyMs))) return;
    onSettled(reservation.change, true);
    this.removeLater(reservation.change, leftovers ?? []);
  }

  /** Removes files beside one that replaced them, behind, as soon as that succeeds. */
  removeLater(change: Change, files: readonly StoredFile[]): void {
    if (files.length === 0) return;
    this.#leftovers.set(change.target, { change, files });
    this.sweep();
  }

  /** Settles all of them, behind; tries again while the database takes no writes or the disk has no space. */
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

  /** One that cannot be settled keeps no other from it. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#signal.aborted) return;
      if (error instanceof CatalogError) this.#isSweepDue = true;
      else this.#parts.onFailure(error);
    }
  }

  /** While the target is reserved, so that no other process gives one of the names to a new file meanwhile. */
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
      // it was reported when it failed first, and is tried again with the next sweep
    } finally {
      await records.drop(answer.own, sweepBusyMs);
    }
  }

  /** It may have ended by itself before it had its turn. */
  async #settleIfLeft(id: number): Promise<void> {
    const all = await this.#parts.records.listReservations();
    const reservation = all.find((one) => one.id === id);
    if (reservation === undefined || !(await this.isLeft(reservation))) return;
    await this.settle(reservation, sweepBusyMs);
  }
}

/** The oldest first: of several covers the newest counts, also while they are being removed. */
export async function filesThere(area: FileArea, names: readonly string[]): Promise<StoredFile[]> {
  const found = await Promise.all(names.map((name) => area.find(name)));
  return found.filter((file) => file !== null).sort((a, b) => Number(a.mtimeNs - b.mtimeNs));
}
