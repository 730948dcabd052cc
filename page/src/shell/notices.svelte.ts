export interface Notice {
  readonly id: number;
  readonly text: string;
  /** The label and the action of the notice's button; null if the notice has no button. */
  readonly action: { readonly label: string; run(): void } | null;
}

/**
 * Short messages at the edge of the window. A message disappears after ten seconds, a message with
 * a button after thirty seconds.
 */
export class Notices {
  all: readonly Notice[] = $state.raw([]);
  /** The last text for screen readers. */
  announced: string = $state('');
  #last = 0;

  /**
   * Shows a message and returns its id, which `dismiss` accepts. The message replaces a message
   * with the same text. A message with a button replaces all other messages with a button.
   */
  show(text: string, action: Notice['action'] = null): number {
    this.#last += 1;
    const notice = { id: this.#last, text, action };
    this.all = [
      ...this.all.filter((each) => each.text !== text && (each.action === null || action === null)),
      notice,
    ];
    setTimeout(() => this.dismiss(notice.id), action ? 30_000 : 10_000);
    return notice.id;
  }

  /** Announces a text to screen readers. Other users see its effect and need not read it. */
  announce(text: string): void {
    // A repeated text must differ, because screen readers read changes only.
    this.announced = text === this.announced ? `${text}\u00a0` : text;
  }

  dismiss(id: number): void {
    this.all = this.all.filter((each) => each.id !== id);
  }
}

export const notices = new Notices();
