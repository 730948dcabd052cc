import type { OpenedTreeFile, TreeEntry } from '../../core/trees/device-tree.ts';

/** A file that a device reads, with its entry in the tree. */
export interface PlayedFile {
  readonly opened: OpenedTreeFile;
  readonly entry: TreeEntry;
}

/** How long a file is reused without looking it up in the tree again, in milliseconds. */
const maxAgeMs = 5_000;
/** Maximum number of files that are kept open. */
const maxFiles = 64;

interface Slot {
  readonly file: PlayedFile;
  readonly openedAt: number;
  uses: number;
}

/**
 * Keeps recently opened files open, because devices read them in parts. PPSSPP reads each part on a
 * new connection, and looking up the file takes longer than reading a part.
 */
export class OpenFiles {
  readonly #slots = new Map<string, Slot>();
  #sweeper: NodeJS.Timeout | undefined;

  /** Returns the file with this key if it was opened recently; null otherwise. */
  use(key: string): (PlayedFile & { release(): Promise<void> }) | null {
    const slot = this.#slots.get(key);
    if (slot === undefined || isOld(slot)) return null;
    return this.#acquire(slot);
  }

  /**
   * Adds a file that was just opened, and returns it for use. The caller must call `release`
   * afterwards, and must not close the file itself.
   */
  add(key: string, file: PlayedFile): PlayedFile & { release(): Promise<void> } {
    const slot = { file, openedAt: performance.now(), uses: 0 };
    const acquired = this.#acquire(slot);
    this.#drop(key);
    this.#slots.set(key, slot);
    const [oldest] = this.#slots.keys();
    if (this.#slots.size > maxFiles && oldest !== undefined) this.#drop(oldest);
    this.#sweeper ??= setInterval(() => this.#sweep(), maxAgeMs).unref();
    return acquired;
  }

  /** Closes all files that are not in use; the others are closed after their last use. */
  close(): void {
    for (const key of [...this.#slots.keys()]) this.#drop(key);
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #acquire(slot: Slot) {
    slot.uses += 1;
    let isReleased = false;
    return {
      ...slot.file,
      release: async () => {
        if (isReleased) return;
        isReleased = true;
        slot.uses -= 1;
        if (slot.uses === 0 && ![...this.#slots.values()].includes(slot)) await closeFile(slot);
      },
    };
  }

  #sweep(): void {
    for (const [key, slot] of this.#slots) if (isOld(slot)) this.#drop(key);
    if (this.#slots.size === 0) this.close();
  }

  #drop(key: string): void {
    const slot = this.#slots.get(key);
    this.#slots.delete(key);
    if (slot?.uses === 0) closeFile(slot).catch(() => {});
  }
}

const isOld = ({ openedAt }: Slot) => performance.now() - openedAt > maxAgeMs;

const closeFile = ({ file }: Slot) => file.opened.file.close();
