/** One measured number with its bound. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that passes. */
  readonly max: number;
}

/** Returns true if the value is within its bound. NaN never passes. */
export function passes({ value, max }: Figure): boolean {
  return value <= max;
}

/**
 * Returns the value with its unit. Values below 10 are rounded to one decimal, other values to
 * whole numbers.
 */
export function formatValue({ value, unit }: Figure): string {
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`.trimEnd();
}

/** Returns the bound with its unit. */
export function formatBound({ max, unit }: Figure): string {
  return `${max} ${unit}`.trimEnd();
}
