interface Around {
  readonly columns: number;
  /** Number of rows that the page keys move by. */
  readonly page: number;
  readonly total: number;
}

/** Returns the index that a key moves to in the grid, or null if the key does not move. */
export function nextIndex(
  key: string,
  index: number,
  { columns, page, total }: Around,
): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index < columns ? index : index - columns,
    ArrowDown: index + columns,
    PageUp: index - columns * page,
    PageDown: index + columns * page,
    Home: 0,
    End: total - 1,
  };
  const next = steps[key];
  return next === undefined ? null : Math.min(Math.max(next, 0), total - 1);
}
