import type { Job, JobState } from './job.ts';

/** Maximum number of attempts of a job that continues automatically. */
export const maxAttempts = 3;

/** Pauses before the second and the third attempt, in milliseconds. */
const pausesMs = [2_000, 10_000] as const;

/**
 * The longest pause, in milliseconds. A job that waits longer was stored before the clock of the
 * database was set back.
 */
export const longestPauseMs = Math.max(...pausesMs);

/** Describes an attempt that ended before its work did. */
export interface LostAttempt {
  /** The reason, for display. */
  readonly reason: string;
  /**
   * False if the job's process died. True if its server stopped it in order to stop itself, which
   * does not use up an attempt.
   */
  readonly wasStoppedByServer: boolean;
}

/** The state of a job after a lost attempt. */
export type AfterAttempt =
  | {
      readonly state: 'queued';
      /** The number of the attempt that the job waits for. */
      readonly attempt: number;
      readonly pauseMs: number;
      readonly reason: string;
    }
  | { readonly state: Extract<JobState, 'stopped' | 'interrupted'>; readonly reason: string };

/**
 * Returns the state of a job after a lost attempt. The job waits for another attempt, unless a user
 * stopped it or no attempt is left.
 */
export function afterAttempt(
  { isStopping, attempt, attempts }: Pick<Job, 'isStopping' | 'attempt' | 'attempts'>,
  { reason, wasStoppedByServer }: LostAttempt,
): AfterAttempt {
  if (isStopping) return { state: 'stopped', reason: `it was stopped, and ${reason}` };
  if (attempts === 1) return { state: 'interrupted', reason };
  if (wasStoppedByServer) return { state: 'queued', attempt, pauseMs: 0, reason };
  if (attempt >= attempts) {
    return {
      state: 'interrupted',
      reason: `${reason}; this was attempt ${attempt} of ${attempts}`,
    };
  }
  const pauseMs = pausesMs[attempt - 1] ?? longestPauseMs;
  return { state: 'queued', attempt: attempt + 1, pauseMs, reason };
}
