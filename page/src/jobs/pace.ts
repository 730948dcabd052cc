import type { Job } from '../api/jobs.ts';

/**
 * Period over which the speed is measured, in milliseconds. It spans several files of an import.
 */
const windowMs = 60_000;
/**
 * Minimum time between the first and the last sample, in milliseconds. A rate over a shorter time
 * is not reliable.
 */
const minMs = 2_000;

/** Measures the speed of jobs. Uses only the last minute of the current phase of a job. */
export class Pace {
  readonly #samples = new Map<number, { phase: string; points: { at: number; done: number }[] }>();

  /** Records a job's progress. `now` is the current time in milliseconds. */
  record({ id, progress }: Job, now: number): void {
    if (progress === null) return;
    const { phase, done } = progress;
    const known = this.#samples.get(id);
    const last = known?.points.at(-1);
    const isSame = known?.phase === phase && last !== undefined && last.done <= done;
    const before = isSame ? known.points.filter(({ at }) => now - at <= windowMs) : [];
    this.#samples.set(id, { phase, points: [...before, { at: now, done }] });
  }

  /**
   * Returns a job's rate per second, in the unit of its progress, and the remaining seconds.
   * Returns null until the samples span two seconds and show progress.
   */
  of({ id, progress }: Job): { rate: number; left: number } | null {
    const points = this.#samples.get(id)?.points ?? [];
    const [first] = points;
    const last = points.at(-1);
    if (progress === null || first === undefined || last === undefined) return null;
    const ms = last.at - first.at;
    const rate = ((last.done - first.done) * 1000) / ms;
    if (ms < minMs || rate <= 0) return null;
    return { rate, left: Math.max(0, progress.total - progress.done) / rate };
  }
}
