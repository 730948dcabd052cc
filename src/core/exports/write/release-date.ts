/** A date whose month and day may be unknown. */
export interface PartialDate {
  readonly year: string;
  readonly month: string | null;
  readonly day: string | null;
}

/** Reads a date such as `2006`, `2006-04` or `2006-04-27`. Returns null for any other text. */
export function readDate(text: string): PartialDate | null {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text.trim());
  const [, year, month, day] = match ?? [];
  if (year === undefined || year === '0000') return null;
  if (month === undefined || !isBetween(month, 12)) return { year, month: null, day: null };
  return { year, month, day: day !== undefined && isBetween(day, 31) ? day : null };
}

function isBetween(text: string, max: number): boolean {
  return Number(text) >= 1 && Number(text) <= max;
}
