/** A time of day, on one weekday or every day, by the local clock of this machine. */
export interface DueTime {
  /** Day of the week, 0 for Sunday; null for every day. */
  readonly weekday: number | null;
  /** Time of day, "HH:MM". */
  readonly time: string;
}

/**
 * Returns when the time next occurs after `after`; both are in milliseconds since 1970. If the
 * clock is put forward over the time, returns the moment an hour later. If the clock is put back so
 * that the time occurs twice, returns its first occurrence.
 */
export function nextDue({ weekday, time }: DueTime, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const day = new Date(after);
  for (;;) {
    const due = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes);
    const isDay = weekday === null || day.getDay() === weekday;
    if (isDay && due.getTime() > after) return due.getTime();
    // Use noon, because midnight does not exist on some days in some time zones.
    day.setHours(12, 0, 0, 0);
    day.setDate(day.getDate() + 1);
  }
}

/**
 * Returns when the time last occurred, after `after` and not after `now`. Returns null if it did
 * not occur.
 */
export function lastDue(time: DueTime, after: number, now: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(time, after); due <= now; due = nextDue(time, due)) last = due;
  return last;
}
