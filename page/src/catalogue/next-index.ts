interface Around {
  readonly columns: number;
  /** Rows that a page key moves by. */
  readonly page: number;
  readonly total: number;
}

/** Where a key leads from an index of the grid; null for a key that leads nowhere. */
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
