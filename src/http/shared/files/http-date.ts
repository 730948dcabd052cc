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
 * Parses a date in any of the three formats of RFC 9110, 5.6.7. Returns milliseconds since 1970;
 * null if the date is invalid.
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

/** Formats a date, in milliseconds since 1970, for a response header. */
export const httpDate = (ms: number) => new Date(ms).toUTCString();

/**
 * Expands a year of two digits to the present century. If the result is more than 50 years ahead,
 * expands the year to the previous century (RFC 9110, 5.6.7).
 */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  const now = new Date().getUTCFullYear();
  const guess = now - (now % 100) + Number(year);
  return guess > now + 50 ? guess - 100 : guess;
}
