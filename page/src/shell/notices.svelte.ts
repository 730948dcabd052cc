export interface Notice {
  readonly id: number;
  readonly text: string;
  /** What a button beside it does, and says. */
  readonly action: { readonly label: string; run(): void } | null;
}

/** Short messages at the edge of the window; each stays for ten seconds, one with a button for thirty. */
export class Notices {
  all: readonly Notice[] = $state.raw([]);
  #last = 0;

  /** Returns its id, for `dismiss`. */
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

  dismiss(id: number): void {
    this.all = this.all.filter((each) => each.id !== id);
  }
}

export const notices = new Notices();
