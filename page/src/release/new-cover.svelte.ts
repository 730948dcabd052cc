import { largestCover, putCover, removeCover } from '../api/covers.ts';
import { isPicture } from './image-kind.ts';

/** Why a file is not sent at all. */
export type Unfit = 'too large' | 'no picture';

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

  /** False when it failed; `failure` says why. */
  async send(): Promise<boolean> {
    const { chosen } = this;
    if (!chosen || this.share !== null) return false;
    this.share = 0;
    this.failure = null;
    try {
      await putCover(this.#id, chosen.file, (sent) => {
        this.share = sent;
      });
      this.drop();
      return true;
    } catch (error) {
      this.share = null;
      this.failure = error;
      return false;
    }
  }

  /** Takes the cover away that is stored. False when it failed; `failure` says why. */
  async removeStored(): Promise<boolean> {
    this.drop();
    try {
      await removeCover(this.#id);
      return true;
    } catch (error) {
      this.failure = error;
      return false;
    }
  }
}
