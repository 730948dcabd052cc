/** When something is to happen, by the clock of this machine: each day, or each week on one day. */
export interface DueTime {
  /** 0 is Sunday; null every day. */
  readonly weekday: number | null;
  /** "HH:MM". */
  readonly time: string;
}

/**
 * The next moment after `after`, both in milliseconds since 1970. On a day whose clock is put forward past the time, an
 * hour later; on one whose clock is put back, the first of the two.
 */
export function nextDue({ weekday, time }: DueTime, after: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const day = new Date(after);
  for (;;) {
    const due = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hours, minutes);
    const isDay = weekday === null || day.getDay() === weekday;
    if (isDay && due.getTime() > after) return due.getTime();
    // At noon, because some days have no midnight.
    day.setHours(12, 0, 0, 0);
    day.setDate(day.getDate() + 1);
  }
}

/** The last such moment after `after` and not after `now`; null when there was none. */
export function lastDue(time: DueTime, after: number, now: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(time, after); due <= now; due = nextDue(time, due)) last = due;
  return last;
}
