import type { Actor } from '../shared/actor.ts';
import type { Clock } from '../shared/clock.ts';
import { refused } from '../shared/errors.ts';
import type { Job } from './job.ts';
import type { JobRecords, OwnerIsDead } from './ports.ts';

/** Between two signs of life. */
const heartbeatMs = 2_000;
/** Without a sign of life for so long, a job's process counts as dead. */
const leaseMs = 30_000;

/** What a running job may do. */
export interface RunningJob {
  readonly id: number;
  /** Remembers how far the work is; written with the next sign of life. */
  progress(progress: unknown): void;
}

/** Long work: one row in the database, a lease with heartbeat, one job of a kind at a time. */
export class Jobs {
  readonly #records: JobRecords;
  readonly #clock: Clock;
  readonly #owner: string;
  readonly #ownerIsDead: OwnerIsDead;

  constructor(parts: {
    records: JobRecords;
    clock: Clock;
    owner: string;
    ownerIsDead: OwnerIsDead;
  }) {
    this.#records = parts.records;
    this.#clock = parts.clock;
    this.#owner = parts.owner;
    this.#ownerIsDead = parts.ownerIsDead;
  }

  /**
   * Runs work as a job and keeps what it returns as the job's report. Refuses when a job of the kind runs already. Work
   * that returns is done, also when `signal` was aborted too late. Work that throws marks the job failed, or stopped when
   * `signal` is aborted, and the error goes on to the caller.
   */
  async run<Report>(
    kind: string,
    actor: Actor,
    signal: AbortSignal,
    work: (job: RunningJob) => Promise<Report>,
  ): Promise<Report> {
    const begun = await this.#records.begin(kind, this.#owner, actor, (job) => this.#isDead(job));
    if ('running' in begun) throw refused(alreadyRuns(begun.running));
    const { id } = begun;
    let progress: unknown = null;
    // A heartbeat that fails (a busy database) is made up for by the next one.
    const timer = setInterval(
      () => this.#records.heartbeat(id, progress).catch(() => undefined),
      heartbeatMs,
    );
    try {
      const report = await work({
        id,
        progress: (next) => {
          progress = next;
        },
      });
      await this.#records.finish(id, 'done', report);
      return report;
    } catch (error) {
      const state = signal.aborted ? 'stopped' : 'failed';
      // The work's own error matters more than that of noting it.
      await this.#records.finish(id, state, { error: String(error) }).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  #isDead(job: Job): boolean {
    const silentMs = this.#clock.now() - Date.parse(job.heartbeatAt);
    // A heartbeat in the future means that the clock was set back; it counts as silence of the same length.
    return Math.abs(silentMs) > leaseMs || this.#ownerIsDead(job.owner);
  }
}

function alreadyRuns(job: Job): string {
  return `another ${job.kind} is running (job ${job.id}, started ${job.startedAt} by ${job.startedBy}): wait for it to end, or stop it`;
}
