import { failureText } from '../language/failure-text.ts';
import { language } from '../language/language.svelte.ts';
import { isSignedOut } from '../session/is-signed-out.ts';
import { notices } from '../shell/notices.svelte.ts';

/** The last change of a release, to be taken back: by the button of its notice, or with Ctrl+Z. */
export class LastChange {
  #current: { readonly undo: () => Promise<void>; readonly notice: number } | null = null;
  readonly #onSignedOut: (failure: unknown, again: () => void) => boolean;

  /** `onSignedOut` is told that a session ended before something was taken back; false where it cannot ask to sign in. */
  constructor(onSignedOut: (failure: unknown, again: () => void) => boolean) {
    this.#onSignedOut = onSignedOut;
  }

  /** Says that something was changed. `undo` takes it back and throws why it could not; null where nothing can. */
  tell(text: string, undo: (() => Promise<void>) | null): void {
    this.forget();
    if (undo === null) {
      notices.show(text);
      return;
    }
    const run = () => void this.#run(undo, notice);
    const notice: number = notices.show(text, { label: language.t.undo, run });
    this.#current = { undo, notice };
  }

  /** False when there is nothing to take back. */
  takeBack(): boolean {
    if (this.#current === null) return false;
    const { undo, notice } = this.#current;
    void this.#run(undo, notice);
    return true;
  }

  /** What was changed is no longer on the screen; its notice still takes it back. */
  forget(): void {
    this.#current = null;
  }

  async #run(undo: () => Promise<void>, notice: number): Promise<void> {
    if (this.#current?.notice === notice) this.#current = null;
    notices.dismiss(notice);
    try {
      await undo();
      notices.show(language.t.undone);
    } catch (error) {
      const again = () => void this.#run(undo, notice);
      if (isSignedOut(error) && this.#onSignedOut(error, again)) return;
      notices.show(failureText(error, language.t));
    }
  }
}
