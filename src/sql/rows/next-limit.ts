/** Target size of a batch of rows, in characters. */
const BATCH_UNITS = 512 * 1024;

/**
 * Returns the maximum number of rows for the next batch, based on the size of the last batch. Long
 * texts lower the maximum, so that the batch does not become too large.
 */
export function nextLimit(rows: readonly (readonly unknown[])[]): number {
  let units = rows.length;
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string') units += value.length;
  }
  const fitting = Math.floor((BATCH_UNITS * rows.length) / units);
  return Math.max(1, Math.min(fitting, 4 * rows.length));
}
