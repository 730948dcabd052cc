import type { Clock } from '../clock.ts';
import { OneAtATime } from '../concurrency/one-at-a-time.ts';
import { pause } from '../concurrency/pause.ts';
import { busy, busyOutcomeUnknown, CatalogError, stopping } from '../errors.ts';
import { removeOlder, removeVersion } from '../remove-older.ts';
import type { Actor } from '../requests/actor.ts';
import { currentClient } from '../requests/client-context.ts';
import { AbandonedChanges, type ChangeParts, existingFiles } from './abandoned-changes.ts';
import type { FileArea, PreviousFile, StagedFile, StoredFile } from './file-area.ts';
import type { FileChange, FileVersion, Reservation, ReservationRecords } from './file-change.ts';
import { withReservation } from './reserved-work.ts';

/**
 * The step of a change that changes the files. The target is reserved before this step, and the
 * change is confirmed after this step.
 */
interface FilesStep {
  /**
   * Changes the files. Removes only the versions in `gone`. Returns the file that was added, or
   * null if files were only removed.
   */
  apply(area: FileArea, gone: readonly StoredFile[]): Promise<StoredFile | null>;
  /**
   * Undoes `apply` if the change was not confirmed. Called before the previous files are restored.
   */
  takeBack(): Promise<void>;
}

interface Reserved<Change extends FileChange> {
  readonly reserved: Reservation<Change>;
  /** The elapsed time (see `ChangeParts`) just before the target was reserved. */
  readonly since: number;
}

/** The files before a change, as far as it is needed to undo the change. */
interface Restorable {
  readonly kept: readonly PreviousFile[];
  /** The versions that the change removes. */
  readonly gone: readonly StoredFile[];
  readonly takeBack: () => Promise<void>;
}

const namesOf = ({ file, gone }: FileChange) => (file === null ? gone : [file.name, ...gone]);

const isOutcomeUnknown = (error: unknown) => error instanceof CatalogError && error.outcomeUnknown;

/** Returns true if the error means that the actor no longer has the right to write. */
const isAccessDenied = (error: unknown) =>
  error instanceof CatalogError && ['forbidden', 'unauthenticated'].includes(error.kind);

const isFull = (error: unknown) => error instanceof CatalogError && error.kind === 'storage-full';

/**
 * Maximum duration of a change in milliseconds, which is shorter than the maximum duration of a
 * response, 5 s (docs/api/decisions.md). The last `confirmMs` milliseconds are reserved for
 * confirming the change.
 */
const maxChangeMs = 4_500;
const confirmMs = 500;
/**
 * Time in milliseconds after a reservation during which every other process surely considers this
 * process alive. A process renews its lease every 5 s, and counts as alive for 30 s after each
 * renewal (`Presence`).
 */
const surelyOwnMs = 20_000;
/** Maximum time that a client waits for a change, its restore and its cleanup, in milliseconds. */
const maxResponseMs = 4_700;
const pollMs = 20;
/**
 * Interval between sweeps, in milliseconds. Sweeps are repeated because a killed process counts as
 * alive for some time (`Presence`). A single sweep when the next process starts would be too early.
 */
const sweepEveryMs = 10_000;

/**
 * Changes files and their database records together. Each change has three steps:
 * - A row in the database reserves the target.
 * - The files are changed.
 * - The change is confirmed in the database.
 *
 * No transaction is open while files are changed. If a change fails, the previous files are
 * restored. After a crash, either the old or the new files exist. The next sweep, or the next
 * change of the same target, recovers what a crash left behind (docs/decisions/0006-files.md).
 */
export class FileChanges<Change extends FileChange> {
  readonly #records: ReservationRecords<Change>;
  readonly #areaOf: (change: Change) => FileArea;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #elapsed: () => number;
  /**
   * Runs the changes of each target one at a time within this process, so that no change polls the
   * reservation of another one.
   */
  readonly #targets = new OneAtATime();
  readonly #abandoned: AbandonedChanges<Change>;
  readonly #onFailure: (error: unknown) => void;
  readonly #stop = new AbortController();
  /** The changes whose cleanup has not ended yet. */
  readonly #running = new Set<Promise<boolean>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChangeParts<Change>) {
    this.#records = parts.records;
    this.#areaOf = parts.areaOf;
    this.#clock = parts.clock;
    this.#owner = parts.owner;
    this.#elapsed = parts.elapsed;
    this.#onFailure = parts.onFailure;
    this.#abandoned = new AbandonedChanges(parts, this.#targets, this.#stop.signal);
  }

  /**
   * Gives staged bytes the name of `change.file`, then removes the names in `gone`. Returns false
   * if `isWanted` returns false. `isWanted` is called before the target is reserved, and again
   * afterwards. Discards the bytes if the change is not made. After a failure, the previous files
   * are restored (see `#applyOrRestore`). If an older file cannot be removed, the change still
   * succeeds: the new file is used, and the older file is removed later. A client waits at most
   * `maxResponseMs` (see `#respondInTime`).
   */
  publish(
    change: Change & { readonly file: FileVersion },
    staged: StagedFile,
    actor: Actor,
    isWanted: () => Promise<boolean> = async () => true,
  ): Promise<boolean> {
    let leftovers: readonly StoredFile[] = [];
    const apply: FilesStep['apply'] = async (area, gone) => {
      const stored = await staged.publish(change.file.name);
      leftovers = await removeOlder(area, gone, stored, this.#onFailure);
      return stored;
    };
    const made = this.#make(change, actor, isWanted, { apply, takeBack: staged.takeBack });
    const cleanUp = async (isMade: boolean) => {
      if (isMade) this.#abandoned.removeLater(change, leftovers);
      else await staged.discard();
    };
    return this.#respondInTime(made, cleanUp);
  }

  /** Removes the names in `gone`. Returns false if none of these names belongs to a file. */
  remove(change: Change, actor: Actor): Promise<boolean> {
    const there = () => existingFiles(this.#areaOf(change), change.gone);
    const isWanted = async () => (await there()).length > 0;
    const apply: FilesStep['apply'] = async (area, gone) => {
      for (const file of gone) await removeVersion(area, file);
      return null;
    };
    const made = this.#make(change, actor, isWanted, { apply, takeBack: async () => {} });
    return this.#respondInTime(made, async () => {});
  }

  /**
   * Recovers changes that a process left unfinished when it ended. Sweeps run in the background,
   * the first one at once and further ones at intervals.
   */
  startSweeping(): void {
    this.#abandoned.sweep();
    this.#timer ??= setInterval(() => this.#abandoned.sweep(), sweepEveryMs).unref();
  }

  /**
   * Stops a sweep in progress, and the sweeps at intervals. The remaining changes are recovered by
   * another process, or by this process after its next start.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(stopping());
    await Promise.allSettled(this.#running);
    await this.#abandoned.waitForSweep();
  }

  /**
   * Waits for a change and its cleanup. If they take longer than a client's request may take, the
   * client gets the outcome of the change as it is known by then: its error, or
   * busyOutcomeUnknown(). The work then continues in the background. For example, a database server
   * that does not respond delays the change, the restore and the cleanup one after another.
   */
  #respondInTime(
    made: Promise<boolean>,
    cleanUp: (isMade: boolean) => Promise<void>,
  ): Promise<boolean> {
    const ended = made.then(
      async (isMade) => {
        await cleanUp(isMade);
        return isMade;
      },
      async (error) => {
        await cleanUp(false);
        throw error;
      },
    );
    this.#running.add(ended);
    ended.catch(() => undefined).finally(() => this.#running.delete(ended));
    if (currentClient() === undefined) return ended;
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const known = () => Promise.race([made, Promise.reject(busyOutcomeUnknown())]);
    const timer = setTimeout(() => resolve(known()), maxResponseMs);
    return Promise.race([ended, late]).finally(() => clearTimeout(timer));
  }

  /** Reserves, makes and confirms a change. Returns false if the change is not wanted. */
  async #make(
    change: Change,
    actor: Actor,
    isWanted: () => Promise<boolean>,
    step: FilesStep,
  ): Promise<boolean> {
    const until = this.#clock.monotonic() + maxChangeMs;
    if (!(await isWanted())) return false;
    const inTurn = async () => {
      const { reserved, since } = await this.#reserve(change, actor, until - confirmMs);
      try {
        if (await isWanted()) {
          const confirm = (stored: StoredFile | null) =>
            this.#confirm(reserved, stored, actor, until);
          const isConfirmed = await this.#applyOrRestore({ reserved, since }, step, confirm);
          if (isConfirmed) return true;
          throw busy(); // another process recovered the change, because it took too long
        }
        await this.#records.drop(reserved, confirmMs);
        return false;
      } catch (error) {
        this.#abandoned.sweep(); // recovers what the failed change left behind
        throw error;
      }
    };
    return this.#targets.run(change.target, inTurn, maxChangeMs);
  }

  /**
   * Changes the files and confirms the change. After a failure, the previous files are restored,
   * with two exceptions. If the restore itself fails, `onFailure` is called, and the reservation is
   * recovered later according to the existing files. If the change may have been confirmed, the
   * files are not restored, because they must not contradict the database.
   *
   * If this process stalled for so long that another process recovered the change, the files are
   * neither changed nor restored. Others may have changed them since. If the database is
   * unavailable, the files are restored only within `surelyOwnMs` of the reservation. Versions that
   * appeared since the check are neither removed nor replaced.
   *
   * If the actor no longer has the right to write, the reservation is dropped at once after the
   * restore. Otherwise, a sweep could mistake restored files with the same bytes for a completed
   * change.
   */
  async #applyOrRestore(
    { reserved, since }: Reserved<Change>,
    { apply, takeBack }: FilesStep,
    confirm: (stored: StoredFile | null) => Promise<boolean>,
  ): Promise<boolean> {
    const { change } = reserved;
    const area = this.#areaOf(change);
    const kept: PreviousFile[] = [];
    let isApplied = false;
    let mayBeConfirmed = false;
    let gone: readonly StoredFile[] = [];
    try {
      for (const name of namesOf(change)) {
        const file = await area.retain(name).catch((error: unknown) => {
          if (change.file !== null || !isFull(error)) throw error;
          return null; // removing files must work even on a full disk
        });
        if (file !== null) kept.push(file);
      }
      gone = await existingFiles(area, change.gone);
      if (!(await this.#records.exists(reserved))) throw busyOutcomeUnknown();
      isApplied = true;
      const stored = await withReservation(reserved.id, () => apply(area, gone));
      return await confirm(stored).catch((error: unknown) => {
        mayBeConfirmed = isOutcomeUnknown(error);
        throw error;
      });
    } catch (error) {
      const isBack =
        isApplied &&
        !mayBeConfirmed &&
        (await this.#restore({ reserved, since }, { kept, gone, takeBack }));
      if (isBack && isAccessDenied(error)) {
        // If dropping the reservation fails, a sweep recovers the reservation later.
        await this.#records.drop(reserved, confirmMs).catch(this.#onFailure);
      }
      throw error;
    } finally {
      for (const file of kept) await file.release();
    }
  }

  /**
   * Confirms a change. Tries a second time if the outcome of the first attempt is unknown. A change
   * can be confirmed only once. If the second attempt finds no reservation, the first attempt
   * succeeded.
   */
  async #confirm(
    reserved: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor,
    until: number,
  ): Promise<boolean> {
    const busyMs = Math.max(this.#until(until), confirmMs);
    try {
      return await this.#records.confirm(reserved, stored, actor, busyMs);
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error;
      await this.#records.confirm(reserved, stored, actor, this.#until(until)).catch(() => {
        throw error; // the first attempt may have succeeded, so report the first error
      });
      return true;
    }
  }

  /**
   * Undoes the change and restores the previous files. Returns false if the restore fails, or if
   * another process has, or may have, recovered the change.
   */
  async #restore(
    { reserved, since }: Reserved<Change>,
    { kept, gone, takeBack }: Restorable,
  ): Promise<boolean> {
    // Files in a folder are restored even while the database is unreachable.
    const isSurelyOwn = () => this.#elapsed() - since < surelyOwnMs;
    const isOwn = await this.#records.exists(reserved).catch(isSurelyOwn);
    if (!isOwn) return false;
    try {
      await withReservation(reserved.id, async () => {
        const { change } = reserved;
        for (const file of await existingFiles(this.#areaOf(change), change.gone)) {
          const isNew = !gone.some(({ name, etag }) => name === file.name && etag === file.etag);
          if (isNew) throw new Error(`${file.name} appeared during a change that failed`);
        }
        if (kept.some(({ isRestorable }) => !isRestorable)) {
          throw new Error(`${reserved.change.target}: could not keep the previous files`);
        }
        await takeBack();
        // Replace the new file last. After an interruption, recovery then finds the new file or the
        // old ones.
        for (const file of kept.toReversed()) await file.restore();
      });
      return true;
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
  }

  async #reserve(change: Change, actor: Actor, until: number): Promise<Reserved<Change>> {
    for (;;) {
      const since = this.#elapsed();
      const outcome = await this.#records.reserve(change, actor, this.#owner, this.#until(until));
      if ('reserved' in outcome) return { reserved: outcome.reserved, since };
      const { existing } = outcome;
      if (existing !== null && (await this.#abandoned.isAbandoned(existing))) {
        await this.#abandoned.recover(existing, this.#until(until));
      } else if (this.#until(until) > 0) {
        await pause(pollMs, this.#stop.signal);
      } else {
        throw busy();
      }
    }
  }

  /** Returns the time in milliseconds until `time`, or 0 if `time` has passed. */
  #until(time: number): number {
    return Math.max(0, time - this.#clock.monotonic());
  }
}
