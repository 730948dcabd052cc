/** A time of day, on one weekday or every day, in the local time zone of this machine. */
export interface DueTime {
  /** Day of the week, 0 for Sunday; null for every day. */
  readonly weekday: number | null;
  /** Time of day, "HH:MM". */
  readonly time: string;
}

/**
 * Returns the first occurrence of the time after `after`. The result and `after` are in
 * milliseconds since 1970. If the clock skips the time when it is put forward, returns the moment
 * one hour later. If the time occurs twice because the clock is put back, returns the first
 * occurrence.
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
 * Returns the last occurrence of the time after `after` and not after `now`. Returns null if there
 * is none. All values are in milliseconds since 1970.
 */
export function lastDue(time: DueTime, after: number, now: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(time, after); due <= now; due = nextDue(time, due)) last = due;
  return last;
}
