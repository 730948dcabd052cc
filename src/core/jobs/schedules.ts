import type { Clock } from '../shared/clock.ts';
import { notFound } from '../shared/errors.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { type ScheduledJobKind, scheduledJobKinds } from './job-kind.ts';
import { lastDue, nextDue } from './next-due.ts';
import type { ScheduleChange, ScheduleRecords, StoredSchedule } from './ports.ts';

/** How often to check for due jobs, in milliseconds. */
const checkIntervalMs = 10_000;

/** The schedule of a kind until a user changes the schedule. */
const unchanged = { isOn: false, weekday: null, time: '03:00' } as const;

/** A schedule, with the time of its next start. */
export interface Schedule extends KnownSchedule {
  /** Timestamp of the next start; null while the schedule is off. */
  readonly nextAt: string | null;
}

interface KnownSchedule extends StoredSchedule {
  readonly kind: ScheduledJobKind;
}

/**
 * Starts jobs when they are due, while the server runs. Starts that were missed while the server
 * was down are not made up for.
 */
export class Schedules {
  readonly #records: ScheduleRecords;
  readonly #jobs: Pick<BackgroundJobs, 'start'>;
  readonly #clock: Clock;
  readonly #isOnOtherHosts: (kind: ScheduledJobKind) => Promise<boolean>;
  readonly #onFailure: (kind: string, error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #checkedAt: number;
  #checking: Promise<void> = Promise.resolve();

  constructor(parts: {
    records: ScheduleRecords;
    jobs: Pick<BackgroundJobs, 'start'>;
    clock: Clock;
    /**
     * Returns true if only other hosts can run jobs of this kind. One of those hosts then starts
     * the job.
     */
    isOnOtherHosts: (kind: ScheduledJobKind) => Promise<boolean>;
    /**
     * Called to log that a job could not be started, for example because a job of this kind is
     * already running. `kind` is "" if the schedules could not be read.
     */
    onFailure: (kind: string, error: unknown) => void;
  }) {
    this.#records = parts.records;
    this.#jobs = parts.jobs;
    this.#clock = parts.clock;
    this.#isOnOtherHosts = parts.isOnOtherHosts;
    this.#onFailure = parts.onFailure;
    this.#checkedAt = parts.clock.now();
  }

  /** Returns the schedule of each kind of job that can have a schedule. */
  async list(): Promise<Schedule[]> {
    return (await this.#known()).map((schedule) => this.#withNext(schedule));
  }

  /** Returns the schedule of a kind. Throws `not found` for a kind without a schedule. */
  async get(kind: string): Promise<Schedule> {
    const found = (await this.list()).find((schedule) => schedule.kind === kind);
    if (found === undefined) throw notFound();
    return found;
  }

  /**
   * Changes the schedule of a kind and returns it. A start that was due before the change no longer
   * happens. Throws `not found`.
   */
  async change(kind: string, change: ScheduleChange, actor: Actor): Promise<Schedule> {
    const { nextAt: _, ...schedule } = await this.get(kind);
    await this.#records.change(schedule, change, actor);
    return this.get(kind);
  }

  /** Starts jobs whenever they are due, until `close` is called. */
  begin(): void {
    this.#checkedAt = this.#clock.now();
    this.#timer = setInterval(() => this.startDue(), checkIntervalMs);
    this.#timer.unref();
  }

  /**
   * Starts the jobs that became due since the last check, at most one job of each kind. Never
   * rejects.
   */
  startDue(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#check());
    return this.#checking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  async #check(): Promise<void> {
    const since = this.#checkedAt;
    const now = this.#clock.now();
    this.#checkedAt = now; // even if the clock was set back: checks continue from the new time
    const known = await this.#known().catch((error: unknown) => {
      this.#onFailure('', error);
      return [];
    });
    for (const schedule of known) {
      const due = lastDue(schedule, since, now);
      if (schedule.isOn && due !== null) await this.#start(schedule.kind, due, now);
    }
  }

  async #known(): Promise<KnownSchedule[]> {
    const stored = new Map((await this.#records.list()).map((each) => [each.kind, each]));
    return scheduledJobKinds.map((kind) => ({ ...(stored.get(kind) ?? unchanged), kind }));
  }

  /**
   * Starts a due job. If several servers share the database, exactly one of them starts the job.
   */
  async #start(kind: ScheduledJobKind, due: number, now: number): Promise<void> {
    try {
      if (await this.#isOnOtherHosts(kind)) return;
      if (!(await this.#records.claim(kind, toTimestamp(due), toTimestamp(now)))) return;
      await this.#jobs.start({ kind, options: {}, actor: { kind: 'system' } });
    } catch (error) {
      this.#onFailure(kind, error);
    }
  }

  #withNext(schedule: KnownSchedule): Schedule {
    const next = schedule.isOn ? nextDue(schedule, this.#clock.now()) : null;
    return { ...schedule, nextAt: next === null ? null : toTimestamp(next) };
  }
}

const toTimestamp = (ms: number) => new Date(ms).toISOString();
