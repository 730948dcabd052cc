/**
 * An entry of the letter index, with the list index where it starts. `#` stands for everything that
 * sorts before A, `…` for everything after Z.
 */
export interface Letter {
  readonly letter: string;
  /** Null when no release starts with it. */
  readonly start: number | null;
}

const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '…'];

/** Returns the letter index of a list sorted by name, from the offsets of its initials. */
export function lettersOf(
  initials: readonly { readonly initial: string; readonly offset: number }[],
): Letter[] {
  const starts = new Map<string, number>();
  for (const { initial, offset } of initials) {
    const letter = initial < 'A' ? '#' : initial > 'Z' ? '…' : initial;
    starts.set(letter, Math.min(starts.get(letter) ?? offset, offset));
  }
  return letters.map((letter) => ({ letter, start: starts.get(letter) ?? null }));
}

/** Returns the letter that contains a list index. */
export function letterAt(all: readonly Letter[], index: number): string | null {
  return all.findLast(({ start }) => start !== null && start <= index)?.letter ?? null;
}
