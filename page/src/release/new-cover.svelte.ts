import { largestCover, putCover, readCover, removeCover } from '../api/covers.ts';
import { isPicture } from './image-kind.ts';

/** Why a file is not sent at all. */
export type Unfit = 'too large' | 'no picture';

/** A cover was stored or removed. */
export interface CoverChange {
  /** Brings back what was there before; throws what the server refuses. Null where the server will not take it again. */
  readonly undo: (() => Promise<void>) | null;
}

/** A picture that somebody gives a release: chosen, previewed, sent. */
export class NewCover {
  /** What was chosen, and the address that previews it. */
  chosen: { readonly file: File; readonly address: string } | null = $state.raw(null);
  unfit: Unfit | null = $state(null);
  /** Why the server did not take it. */
  failure: unknown = $state.raw(null);
  /** The share that has left, from 0 to 1; null while nothing is sent. */
  share: number | null = $state(null);
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  /** Takes a file for a preview, unless it cannot be a cover. */
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

  /** Stores what was chosen, in place of any. Null when it failed; `failure` says why. */
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

  /** Takes the cover away that is stored. Null when it failed; `failure` says why. */
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
