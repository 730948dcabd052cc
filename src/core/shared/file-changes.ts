import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import { busy, CatalogError, stopping } from './errors.ts';
import type { FileArea, KeptFile, StagedFile, StoredFile } from './file-area.ts';
import type { FileChange, FileVersion, Reservation, ReservationRecords } from './file-change.ts';
import { type ChangeParts, filesThere, LeftChanges } from './left-changes.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { pause } from './pause.ts';
import { removeOlder } from './remove-older.ts';

/** The second step of a change. */
interface FilesStep {
  /** Returns the file that appeared. */
  act(area: FileArea): Promise<StoredFile | null>;
  /** After an `act` that is not confirmed, before the former files are put back. */
  takeBack(): Promise<void>;
}

const namesOf = ({ file, gone }: FileChange) => (file === null ? gone : [file.name, ...gone]);

const isInDoubt = (error: unknown) => error instanceof CatalogError && error.mayBeDone;

/** Refusals of who has lost the right to write. */
const isRefused = (error: unknown) =>
  error instanceof CatalogError && ['forbidden', 'unauthenticated'].includes(error.kind);

const isFull = (error: unknown) => error instanceof CatalogError && error.kind === 'storage-full';

/** The answer comes at most 5 s later (decisions.md); the last part of it is kept for confirming. */
const mostMs = 4_500;
const confirmMs = 500;
const lookAgainMs = 20;
/** A process that was killed counts as alive for a while (`Presence`): the start of the next one comes too early. */
const sweepEveryMs = 10_000;

/**
 * Changes of files, each in three steps: a row reserves the target, the files change, the row is confirmed. No
 * transaction is open while files change. One that fails leaves the files as they were; a crash at any point shows the
 * old files or the new ones, and what it left is settled by whoever sweeps next, or changes the same target
 * (docs/decisions/0006-files.md).
 */
export class FileChanges<Change extends FileChange> {
  readonly #records: ReservationRecords<Change>;
  readonly #areaOf: (change: Change) => FileArea;
  readonly #clock: Clock;
  readonly #owner: string;
  /** In this process one change of a target follows the other, without looking at the row again and again. */
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
   * Gives staged bytes their name, then removes the names that go. False when `isWanted` says no, which is asked before,
   * and again when nobody else can change the target any more. Bytes that get no name are dropped. Any failure means
   * that what was there is there again (see `#makeOrPutBack`). An older file that cannot be removed is no failure: the
   * new one counts, and the older one is removed later.
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

  /** Removes the names that go; false when none of them is there. */
  remove(change: Change, actor: Actor): Promise<boolean> {
    const there = () => filesThere(this.#areaOf(change), change.gone);
    const isWanted = async () => (await there()).length > 0;
    const act = async (area: FileArea) => {
      for (const { name } of await there()) await area.remove(name);
      return null;
    };
    return this.#make(change, actor, isWanted, { act, takeBack: async () => {} });
  }

  /** Settles, behind, what was left by processes that ended: now, and again and again. */
  keepSweeping(): void {
    this.#left.sweep();
    this.#timer ??= setInterval(() => this.#left.sweep(), sweepEveryMs).unref();
  }

  /** Ends a sweep; what it left is settled by another process, or at the next start. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(stopping());
    await this.#left.swept();
  }

  /** False when the change is not wanted. */
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
          throw busy(); // it took so long that somebody settled it
        }
        await this.#records.drop(own, confirmMs);
        return false;
      } catch (error) {
        this.#left.sweep(); // of what is left now
        throw error;
      }
    };
    return this.#targets.run(change.target, inTurn, mostMs);
  }

  /**
   * What cannot be put back stays as the files show it, until the reservation is settled by that; it is told to
   * `onFailure`. So does, without a word, what may be confirmed: nothing is to say the opposite of its row. The reservation
   * of who lost the right goes at once: the same bytes, put back, would be taken for a change that was made.
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
          return null; // on a full disk one has to be able to remove
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
        await this.#records.drop(own, confirmMs).catch(this.#onFailure); // a sweep settles it then
      }
      throw error;
    } finally {
      for (const file of kept) await file.drop();
    }
  }

  /** Once more where nobody knows what became of it: it is confirmed only once, so that false says that it was. */
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
        throw error; // the first one may have been made, whatever this one says
      });
      return true;
    }
  }

  /** False when it fails. */
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

  /** Milliseconds. */
  #until(time: number): number {
    return Math.max(0, time - this.#clock.monotonic());
  }
}
