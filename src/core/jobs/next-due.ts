/** A daily or weekly time, by the clock of this machine. */
export interface DueTime {
  /** 0 is Sunday; null for every day. */
  readonly weekday: number | null;
  /** "HH:MM". */
  readonly time: string;
}

/**
 * Returns the next moment after `after`, both in milliseconds since 1970. On a day whose clock
 * skips the time, it is an hour later. On a day when the clock is put back, it is the first of the
 * two.
 */
export function nextDue({ weekday, time }: DueTime, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const day = new Date(after);
  for (;;) {
    const due = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes);
    const isDay = weekday === null || day.getDay() === weekday;
    if (isDay && due.getTime() > after) return due.getTime();
    // Noon, because some days have no midnight.
    day.setHours(12, 0, 0, 0);
    day.setDate(day.getDate() + 1);
  }
}

/** Returns the last such moment after `after` and not after `now`; null if there is none. */
export function lastDue(time: DueTime, after: number, now: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(time, after); due <= now; due = nextDue(time, due)) last = due;
  return last;
}
