import type { BuildTarget, StagedFile } from './ports.ts';
import { StepProblem } from './ports.ts';

/** Number of files that are written or synced at the same time. */
const maxStaging = 4;
/** Like `maxStaging`, but for large files: one file is synced while the next one is copied. */
const maxLarge = 2;
const largeBytes = 2 ** 20;
/**
 * Staged files get their names in batches. A batch is complete at this number of files, or at this
 * total size.
 */
const batch = { files: 64, bytes: 64 * 2 ** 20 };
/**
 * Maximum number of files without a name. A staged file waits for its name while an earlier file is
 * still being written.
 */
const maxSlots = 2 * batch.files;

/** A file to place in a target. */
export interface PlacedFile {
  readonly path: string;
  /** Size in bytes; an estimate is enough. */
  readonly size: number;
  /** True if the file must be staged after earlier serial files, and not concurrently with them. */
  readonly isSerial: boolean;
  /** Returns null if there is nothing to place. Throws `StepProblem`. */
  readonly stage: (signal: AbortSignal) => Promise<StagedFile | null>;
}

/** The place of a file in the order of the names. */
interface Slot {
  isReady: boolean;
  file: StagedFile | null;
}

/**
 * Places files in a target. Files are staged while earlier ones are synced and get their names.
 * Names are given in the order of the `add` calls, so that a list comes after its games.
 */
export class PlaceQueue {
  readonly #target: BuildTarget;
  readonly #onProblem: (path: string, problem: StepProblem) => void;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  readonly #staging = new Map<Promise<void>, number>();
  readonly #slots: Slot[] = [];
  #serial = Promise.resolve();
  #committing = Promise.resolve();
  #failure: { readonly error: unknown } | null = null;

  constructor(
    target: BuildTarget,
    signal: AbortSignal,
    onProblem: (path: string, problem: StepProblem) => void,
  ) {
    this.#target = target;
    this.#onProblem = onProblem;
    this.#signal = AbortSignal.any([signal, this.#abort.signal]);
  }

  /**
   * Waits until there is room, and begins to stage a file. Throws the failure of any earlier file.
   */
  async add(file: PlacedFile): Promise<void> {
    while (!this.#hasRoom(file.size)) await Promise.race(this.#staging.keys());
    this.#throwFailure();
    if (isBatch(this.#ready())) {
      await this.#committing;
      this.#throwFailure();
      this.#committing = this.#commit();
    }
    const slot = { isReady: false, file: null };
    this.#slots.push(slot);
    const staging = this.#stage(file, slot).finally(() => this.#staging.delete(staging));
    this.#staging.set(staging, file.size);
    if (file.isSerial) this.#serial = staging;
  }

  /** Waits until all files have their names. Throws the failure of any file. */
  async flush(): Promise<void> {
    await Promise.all(this.#staging.keys());
    await this.#committing;
    this.#throwFailure();
    await this.#commit();
    this.#throwFailure();
  }

  /**
   * Aborts staging. Staged files get their names, up to the first file that is not staged. The
   * other staged files are discarded.
   */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#staging.keys());
    await this.#committing;
    await this.#commit();
    const left = this.#slots.flatMap(({ file }) => file ?? []);
    await this.#target.discard(left).catch(() => undefined); // the next build removes them
  }

  #hasRoom(size: number): boolean {
    if (this.#staging.size === 0) return true;
    if (this.#staging.size >= maxStaging || this.#slots.length >= maxSlots) return false;
    const large = [...this.#staging.values()].filter((each) => each > largeBytes).length;
    return size <= largeBytes || large < maxLarge;
  }

  /** Returns the files that can get their names now. */
  #ready(): StagedFile[] {
    const end = this.#slots.findIndex(({ isReady }) => !isReady);
    return this.#slots.slice(0, end < 0 ? undefined : end).flatMap(({ file }) => file ?? []);
  }

  async #stage({ path, stage, isSerial }: PlacedFile, slot: Slot): Promise<void> {
    if (isSerial) await this.#serial;
    try {
      slot.file = await stage(this.#signal);
      slot.isReady = true;
    } catch (error) {
      slot.isReady = error instanceof StepProblem;
      if (error instanceof StepProblem) this.#onProblem(path, error);
      else this.#failure ??= { error };
    }
  }

  async #commit(): Promise<void> {
    const files = this.#ready();
    while (this.#slots[0]?.isReady) this.#slots.shift();
    if (files.length === 0) return;
    try {
      const problems = await this.#target.commit(files);
      for (const [path, problem] of problems) this.#onProblem(path, problem);
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}

function isBatch(files: readonly StagedFile[]): boolean {
  const bytes = files.reduce((sum, { entry }) => sum + entry.size, 0);
  return files.length >= batch.files || bytes >= batch.bytes;
}
