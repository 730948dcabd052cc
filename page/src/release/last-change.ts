import { failureText } from '../language/failure-text.ts';
import { language } from '../language/language.svelte.ts';
import { isSignedOut } from '../session/is-signed-out.ts';
import { notices } from '../shell/notices.svelte.ts';

/**
 * The last change of a release, which can be undone with the button of its notice or with Ctrl+Z.
 */
export class LastChange {
  #current: { readonly undo: () => Promise<void>; readonly notice: number } | null = null;
  readonly #onSignedOut: (failure: unknown, again: () => void) => boolean;

  /**
   * `onSignedOut` is called if undoing failed because the session had ended. It returns false if it
   * cannot ask the user to sign in.
   */
  constructor(onSignedOut: (failure: unknown, again: () => void) => boolean) {
    this.#onSignedOut = onSignedOut;
  }

  /**
   * Announces a change. `undo` reverts it and throws if that fails; null if it cannot be undone.
   */
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

  /** Undoes the last change. Returns false if there is nothing to undo. */
  takeBack(): boolean {
    if (this.#current === null) return false;
    const { undo, notice } = this.#current;
    void this.#run(undo, notice);
    return true;
  }

  /**
   * Forgets the last change because it is no longer on the screen. Its notice can still undo it.
   */
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
