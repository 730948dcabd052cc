import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import { busy, CatalogError, stopping } from './errors.ts';
import type { FileArea, KeptFile, StagedFile, StoredFile } from './file-area.ts';
import type { FileChange, FileVersion, Reservation, ReservationRecords } from './file-change.ts';
import { type ChangeParts, filesThere, LeftChanges } from './left-changes.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { pause } from './pause.ts';
import { removeOlder } from './remove-older.ts';

/**
 * The step of a change that changes the files. Before it, the target is reserved; after it, the
 * change is confirmed.
 */
interface FilesStep {
  /** Changes the files. Returns the file that appeared. */
  act(area: FileArea): Promise<StoredFile | null>;
  /**
   * Undoes an `act` whose change was not confirmed. Called before the previous files are restored.
   */
  takeBack(): Promise<void>;
}

const namesOf = ({ file, gone }: FileChange) => (file === null ? gone : [file.name, ...gone]);

const isInDoubt = (error: unknown) => error instanceof CatalogError && error.mayBeDone;

/** Whether the error means that the actor no longer has the right to write. */
const isRefused = (error: unknown) =>
  error instanceof CatalogError && ['forbidden', 'unauthenticated'].includes(error.kind);

const isFull = (error: unknown) => error instanceof CatalogError && error.kind === 'storage-full';

/**
 * Time limit of a change, in milliseconds, because a response takes at most 5 s (decisions.md). The
 * last `confirmMs` of this time are reserved for confirming.
 */
const mostMs = 4_500;
const confirmMs = 500;
const lookAgainMs = 20;
/**
 * Interval between sweeps, in milliseconds. A killed process is considered alive for a while
 * (`Presence`). A single sweep at the start of the next process would therefore be too early.
 */
const sweepEveryMs = 10_000;

/**
 * Changes files. Each change has three steps: a row in the database reserves the target, the files
 * are changed, the change is confirmed in the database. No transaction is open while files are
 * changed. If a change fails, the files are as before. After a crash, either the old or the new
 * files exist. Leftovers of a crash are recovered by the next sweep, or by the next change of the
 * same target (docs/decisions/0006-files.md).
 */
export class FileChanges<Change extends FileChange> {
  readonly #records: ReservationRecords<Change>;
  readonly #areaOf: (change: Change) => FileArea;
  readonly #clock: Clock;
  readonly #owner: string;
  /**
   * Runs the changes of each target one at a time within this process, so that they need not poll
   * the reservation.
   */
  readonly #targets = new OneAtATime();
  readonly #left: LeftChanges<Change>;
  readonly #onFailure: (error: unknown) => void;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ChangeParts<Change>) {
    this.#records = parts.records;
    this.#areaOf = parts.areaOf;
    this.#clock = parts.clock;
    this.#owner = parts.owner;
    this.#onFailure = parts.onFailure;
    this.#left = new LeftChanges(parts, this.#targets, this.#stop.signal);
  }

  /**
   * Gives staged bytes their name, then removes the names in `gone`. Returns false if `isWanted`
   * returns false. `isWanted` is called before the target is reserved, and again afterwards.
   * Discards the bytes if they get no name. After a failure the previous files are restored (see
   * `#makeOrPutBack`). The change also succeeds if an older file cannot be removed. The new file is
   * then used, and the older one is removed later.
   */
  async publish(
    change: Change & { readonly file: FileVersion },
    staged: StagedFile,
    actor: Actor,
    isWanted: () => Promise<boolean> = async () => true,
  ): Promise<boolean> {
    let isMade = false;
    let leftovers: readonly StoredFile[] = [];
    const act = async (area: FileArea) => {
      const stored = await staged.publish(change.file.name);
      leftovers = await removeOlder(area, change.gone, stored, this.#onFailure);
      return stored;
    };
    try {
      isMade = await this.#make(change, actor, isWanted, { act, takeBack: staged.takeBack });
      if (isMade) this.#left.removeLater(change, leftovers);
      return isMade;
    } finally {
      if (!isMade) await staged.discard();
    }
  }

  /** Removes the names in `gone`. Returns false if no file has one of these names. */
  remove(change: Change, actor: Actor): Promise<boolean> {
    const there = () => filesThere(this.#areaOf(change), change.gone);
    const isWanted = async () => (await there()).length > 0;
    const act = async (area: FileArea) => {
      for (const { name } of await there()) await area.remove(name);
      return null;
    };
    return this.#make(change, actor, isWanted, { act, takeBack: async () => {} });
  }

  /**
   * Recovers changes that ended processes left unfinished. Does this in the background, now and at
   * intervals.
   */
  keepSweeping(): void {
    this.#left.sweep();
    this.#timer ??= setInterval(() => this.#left.sweep(), sweepEveryMs).unref();
  }

  /**
   * Stops a sweep in progress. Another process recovers the remaining changes, or this one after
   * its next start.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(stopping());
    await this.#left.swept();
  }

  /** Makes a change. Returns false if the change is not wanted. */
  async #make(
    change: Change,
    actor: Actor,
    isWanted: () => Promise<boolean>,
    step: FilesStep,
  ): Promise<boolean> {
    if (!(await isWanted())) return false;
    const until = this.#clock.monotonic() + mostMs;
    const inTurn = async () => {
      const own = await this.#reserve(change, actor, until - confirmMs);
      try {
        if (await isWanted()) {
          const isConfirmed = await this.#makeOrPutBack(own, step, (stored) =>
            this.#confirm(own, stored, actor, until),
          );
          if (isConfirmed) return true;
          throw busy(); // it took too long: another process settled it
        }
        await this.#records.drop(own, confirmMs);
        return false;
      } catch (error) {
        this.#left.sweep(); // recovers what this change left behind
        throw error;
      }
    };
    return this.#targets.run(change.target, inTurn, mostMs);
  }

  /**
   * Makes the change. If that fails, restores the previous files. If they cannot be restored, calls
   * `onFailure`. Later, the reservation is then settled according to the existing files. If the
   * change may have been confirmed, the files are not restored, because they must not contradict
   * the database. If the actor no longer has the right to write, the reservation is dropped at
   * once. Otherwise a sweep could take restored files with the same bytes for a completed change.
   */
  async #makeOrPutBack(
    own: Reservation<Change>,
    { act, takeBack }: FilesStep,
    confirm: (stored: StoredFile | null) => Promise<boolean>,
  ): Promise<boolean> {
    const { change } = own;
    const area = this.#areaOf(change);
    const kept: KeptFile[] = [];
    let mayBeConfirmed = false;
    try {
      for (const name of namesOf(change)) {
        const file = await area.keep(name).catch((error: unknown) => {
          if (change.file !== null || !isFull(error)) throw error;
          return null; // removing must work on a full disk
        });
        if (file !== null) kept.push(file);
      }
      const stored = await act(area);
      return await confirm(stored).catch((error: unknown) => {
        mayBeConfirmed = isInDoubt(error);
        throw error;
      });
    } catch (error) {
      const isBack = !mayBeConfirmed && (await this.#putBack(kept, takeBack));
      if (isBack && isRefused(error)) {
        await this.#records.drop(own, confirmMs).catch(this.#onFailure); // a sweep settles it later
      }
      throw error;
    } finally {
      for (const file of kept) await file.drop();
    }
  }

  /**
   * Confirms a change. Tries again once if the outcome is unknown. A change can be confirmed only
   * once, so if the second attempt returns false, the first one succeeded.
   */
  async #confirm(
    own: Reservation<Change>,
    stored: StoredFile | null,
    actor: Actor,
    until: number,
  ): Promise<boolean> {
    const busyMs = Math.max(this.#until(until), confirmMs);
    try {
      return await this.#records.confirm(own, stored, actor, busyMs);
    } catch (error) {
      if (!isInDoubt(error)) throw error;
      await this.#records.confirm(own, stored, actor, this.#until(until)).catch(() => {
        throw error; // the first attempt may have succeeded, whatever this error says
      });
      return true;
    }
  }

  /** Undoes the change and restores the previous files. Returns false if that fails. */
  async #putBack(kept: readonly KeptFile[], takeBack: () => Promise<void>): Promise<boolean> {
    try {
      await takeBack();
      for (const file of kept) await file.putBack();
      return true;
    } catch (error) {
      this.#onFailure(error);
      return false;
    }
  }

  async #reserve(change: Change, actor: Actor, until: number): Promise<Reservation<Change>> {
    for (;;) {
      const answer = await this.#records.reserve(change, actor, this.#owner, this.#until(until));
      if ('own' in answer) return answer.own;
      const { held } = answer;
      if (held !== null && (await this.#left.isLeft(held))) {
        await this.#left.settle(held, this.#until(until));
      } else if (this.#until(until) > 0) {
        await pause(lookAgainMs, this.#stop.signal);
      } else {
        throw busy();
      }
    }
  }

  /** Returns the milliseconds until `time`; 0 if that time has passed. */
  #until(time: number): number {
    return Math.max(0, time - this.#clock.monotonic());
  }
}
