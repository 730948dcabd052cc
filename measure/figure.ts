/** One measured number with its bound. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that passes. */
  readonly most: number;
}

/** Returns true if the value is within its bound. NaN never passes. */
export function passes({ value, most }: Figure): boolean {
  return value <= most;
}

/**
 * Returns the value with its unit. Values below 10 are rounded to one decimal, other values to
 * whole numbers.
 */
export function shownValue({ value, unit }: Figure): string {
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`.trimEnd();
}

/** Returns the bound with its unit. */
export function shownBound({ most, unit }: Figure): string {
  return `${most} ${unit}`.trimEnd();
}
