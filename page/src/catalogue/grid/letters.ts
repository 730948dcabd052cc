/**
 * An entry of the letter index. `#` stands for all names that sort before A. `…` stands for all
 * names that sort after Z.
 */
export interface Letter {
  readonly letter: string;
  /** List index of the first release under this letter; null if there is none. */
  readonly start: number | null;
}

const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '…'];

/**
 * Returns the letter index of a list sorted by title. `initials` contains each initial that occurs,
 * in lower case, with the list index of its first release.
 */
export function lettersOf(
  initials: readonly { readonly initial: string; readonly offset: number }[],
): Letter[] {
  const starts = new Map<string, number>();
  for (const { initial, offset } of initials) {
    const letter = initial < 'a' ? '#' : initial > 'z' ? '…' : initial.toUpperCase();
    starts.set(letter, Math.min(starts.get(letter) ?? offset, offset));
  }
  return letters.map((letter) => ({ letter, start: starts.get(letter) ?? null }));
}

/**
 * Returns the letter under which the release at a list index is sorted, or null if there is none.
 */
export function letterAt(all: readonly Letter[], index: number): string | null {
  return all.findLast(({ start }) => start !== null && start <= index)?.letter ?? null;
}
