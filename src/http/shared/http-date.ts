const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '(?<time>\\d\\d:\\d\\d:\\d\\d)';
const FORMS = [
  new RegExp(`^${DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses a date in any of the three forms of RFC 9110, 5.6.7, to milliseconds since 1970; returns
 * null if invalid.
 */
export function parseHttpDate(text: string): number | null {
  for (const form of FORMS) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (!day || !year) continue;
    const ms = Date.parse(`${day.trim()} ${month} ${fullYear(year)} ${time} GMT`);
    return Number.isNaN(ms) ? null : ms;
  }
  return null;
}

/** Formats a date for a response header. */
export const httpDate = (ms: number) => new Date(ms).toUTCString();

/**
 * Expands a year of two digits. If the result would be more than 50 years ahead, the year is in the
 * previous century (RFC 9110, 5.6.7).
 */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  const now = new Date().getUTCFullYear();
  const guess = now - (now % 100) + Number(year);
  return guess > now + 50 ? guess - 100 : guess;
}
