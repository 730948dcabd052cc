import { failureText } from '../../language/failure-text.ts';
import { language } from '../../language/language.svelte.ts';
import { isSignedOut } from '../../session/is-signed-out.ts';
import { notices } from '../../shell/notices.svelte.ts';

/**
 * Stores the last change of a release. The user can undo this change with the button in its notice
 * or with Ctrl+Z.
 */
export class LastChange {
  #current: { readonly undo: () => Promise<void>; readonly notice: number } | null = null;
  readonly #onSignedOut: (failure: unknown, again: () => void) => boolean;

  /**
   * `onSignedOut` is called if undoing failed because the session had ended. Its argument `again`
   * repeats the undo. If `onSignedOut` returns true, it asks the user to sign in. If it returns
   * false, a notice shows the failure.
   */
  constructor(onSignedOut: (failure: unknown, again: () => void) => boolean) {
    this.#onSignedOut = onSignedOut;
  }

  /**
   * Shows a notice about a change and stores the change. `undo` undoes the change, and rejects on
   * failure. If `undo` is null, the change cannot be undone, and the text is only announced to
   * screen readers.
   */
  announce(text: string, undo: (() => Promise<void>) | null): void {
    this.forget();
    if (undo === null) {
      notices.announce(text);
      return;
    }
    const run = () => void this.#run(undo, notice);
    const notice: number = notices.show(text, { label: language.t.undo, run });
    this.#current = { undo, notice };
  }

  /** Starts to undo the last change. Returns false if there is nothing to undo. */
  undoLast(): boolean {
    if (this.#current === null) return false;
    const { undo, notice } = this.#current;
    void this.#run(undo, notice);
    return true;
  }

  /**
   * Discards the last change, so that Ctrl+Z no longer undoes the change. Call `forget` when the
   * changed release is no longer shown. The button in the notice still works.
   */
  forget(): void {
    this.#current = null;
  }

  async #run(undo: () => Promise<void>, notice: number): Promise<void> {
    if (this.#current?.notice === notice) this.#current = null;
    notices.dismiss(notice);
    try {
      await undo();
      notices.announce(language.t.undone);
    } catch (error) {
      const again = () => void this.#run(undo, notice);
      if (isSignedOut(error) && this.#onSignedOut(error, again)) return;
      notices.show(failureText(error, language.t));
    }
  }
}
