interface GridDimensions {
  readonly columns: number;
  /** Number of rows by which Page Up and Page Down move the focus. */
  readonly page: number;
  readonly total: number;
}

/** Returns the index to which a key moves the focus, or null if the key does not move the focus. */
export function nextIndex(
  key: string,
  index: number,
  { columns, page, total }: GridDimensions,
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
