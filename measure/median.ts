/** Returns the median of an odd number of measurements. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the quantile of the measurements for this share, from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
