/** An entry of the index: `#` for what sorts before A, `…` for what sorts after Z, and the index where it starts. */
export interface Letter {
  readonly letter: string;
  /** Null when no release starts with it. */
  readonly start: number | null;
}

const letters = ['#', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '…'];

/** The index of a list by name, from the places where its first characters start. */
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

/** The letter that an index of the list lies in. */
export function letterAt(all: readonly Letter[], index: number): string | null {
  return all.findLast(({ start }) => start !== null && start <= index)?.letter ?? null;
}
