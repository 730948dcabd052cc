import { maxCoverBytes, putCover, readCover, removeCover } from '../../api/covers.ts';
import { isPicture } from './image-kind.ts';

/** The reason why a chosen file is not sent to the server. */
export type CoverRejection = 'too large' | 'no picture';

/** A completed change of a release's cover: a cover was stored or removed. */
export interface CoverChange {
  /**
   * Restores the previous cover, or removes the new cover if there was none before. Rejects if the
   * server refuses. Null if the previous cover is larger than the server accepts.
   */
  readonly undo: (() => Promise<void>) | null;
}

/**
 * Sets a new cover for a release in three steps: the user chooses a file, sees a preview, and sends
 * the file.
 */
export class NewCover {
  /** The chosen file, and the URL of its preview; null if no file is chosen. */
  chosen: { readonly file: File; readonly url: string } | null = $state.raw(null);
  rejection: CoverRejection | null = $state(null);
  /** The error of the last request, or null if the last request succeeded. */
  failure: unknown = $state.raw(null);
  /** The share of the file sent so far, from 0 to 1. Null while no file is being sent. */
  share: number | null = $state(null);
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  /** Chooses a file. If the file is too large or not a picture, sets `rejection` instead. */
  async choose(file: File): Promise<void> {
    this.drop();
    if (file.size > maxCoverBytes) this.rejection = 'too large';
    else if (!(await isPicture(file))) this.rejection = 'no picture';
    else this.chosen = { file, url: URL.createObjectURL(file) };
  }

  drop(): void {
    if (this.chosen) URL.revokeObjectURL(this.chosen.url);
    this.chosen = null;
    this.share = null;
    this.rejection = null;
    this.failure = null;
  }

  /**
   * Sends the chosen file to the server, where the file replaces any existing cover. On failure,
   * sets `failure` and resolves with null.
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

  /** Removes the stored cover. On failure, sets `failure` and resolves with null. */
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
    return { undo: before.size > maxCoverBytes ? null : () => putCover(this.#id, before) };
  }
}
