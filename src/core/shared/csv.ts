/**
 * Yields rows as CSV (RFC 4180): a line with the names of the columns, then one line per row.
 * `cellsOf` returns the texts of a row, in the order of the columns.
 */
export async function* csvOf<Row>(
  columns: readonly string[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly string[],
): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for await (const batch of batches) yield batch.map((row) => csvLine(cellsOf(row))).join('');
}

/**
 * Returns one line of CSV. An apostrophe is added before a cell that starts with `=`, `+`, `-` or
 * `@` (ASCII or full-width), a tab or a line break. Otherwise a spreadsheet would evaluate the
 * cell.
 */
function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
