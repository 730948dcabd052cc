/**
 * Returns the rows of `table` as lines with aligned columns. The first row contains the headings
 * and determines the number of columns. Columns of numbers are right-aligned.
 */
export function alignColumns(
  table: readonly (readonly string[])[],
  isNumber: (column: number) => boolean,
): string[] {
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((cells) => cells[i]?.length ?? 0)),
  );
  return table.map((cells) =>
    cells
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
