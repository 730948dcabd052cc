import { largestCover, putCover, readCover, removeCover } from '../api/covers.ts';
import { isPicture } from './image-kind.ts';

/** The reason why a file is not sent at all. */
export type Unfit = 'too large' | 'no picture';

/** A cover change: one was stored or removed. */
export interface CoverChange {
  /**
   * Restores the previous state, and throws if the server refuses. Null if the previous cover is
   * too large for the server to accept again.
   */
  readonly undo: (() => Promise<void>) | null;
}

/** A new cover for a release: chosen, previewed, then sent. */
export class NewCover {
  /** The chosen file, and the URL of its preview. */
  chosen: { readonly file: File; readonly address: string } | null = $state.raw(null);
  unfit: Unfit | null = $state(null);
  /** Why the server refused it. */
  failure: unknown = $state.raw(null);
  /** The share sent so far, from 0 to 1; null while nothing is being sent. */
  share: number | null = $state(null);
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  /** Accepts a file for a preview, unless it cannot be a cover. */
  async choose(file: File): Promise<void> {
    this.drop();
    if (file.size > largestCover) this.unfit = 'too large';
    else if (!(await isPicture(file))) this.unfit = 'no picture';
    else this.chosen = { file, address: URL.createObjectURL(file) };
  }

  drop(): void {
    if (this.chosen) URL.revokeObjectURL(this.chosen.address);
    this.chosen = null;
    this.share = null;
    this.unfit = null;
    this.failure = null;
  }

  /**
   * Stores the chosen file, replacing any existing cover. Returns null if that failed; `failure`
   * then holds the reason.
   */
  async send(): Promise<CoverChange | null> {
    const { chosen } = this;
    if (!chosen || this.share !== null) return null;
    this.share = 0;
    this.failure = null;
    try {
      const before = await readCover(this.#id);
      await putCover(this.#id, chosen.file, (sent) => {
        this.share = sent;
      });
      this.drop();
      return this.#changeFrom(before);
    } catch (error) {
      this.share = null;
      this.failure = error;
      return null;
    }
  }

  /** Removes the stored cover. Returns null if that failed; `failure` then holds the reason. */
  async removeStored(): Promise<CoverChange | null> {
    this.drop();
    try {
      const before = await readCover(this.#id);
      await removeCover(this.#id);
      return this.#changeFrom(before);
    } catch (error) {
      this.failure = error;
      return null;
    }
  }

  #changeFrom(before: Blob | null): CoverChange {
    if (before === null) return { undo: () => removeCover(this.#id) };
    return { undo: before.size > largestCover ? null : () => putCover(this.#id, before) };
  }
}
