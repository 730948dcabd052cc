import type { Actor } from '../shared/actor.ts';
import type { Clock } from '../shared/clock.ts';
import { notFound } from '../shared/errors.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { lastDue, nextDue } from './next-due.ts';
import type { ScheduleChange, ScheduleRecords, StoredSchedule } from './ports.ts';

/** How often the clock is looked at. */
const lookMs = 10_000;

/** A kind of job that starts by itself. */
export interface Schedule extends StoredSchedule {
  /** Timestamp; null while it is off. */
  readonly nextAt: string | null;
}

/** Starts jobs when they are due, as long as the server runs: what was due while it did not is not made up for. */
export class Schedules {
  readonly #records: ScheduleRecords;
  readonly #jobs: Pick<BackgroundJobs, 'start'>;
  readonly #clock: Clock;
  readonly #isForOthers: (kind: string) => Promise<boolean>;
  readonly #onFailure: (kind: string, error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt: number;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: {
    records: ScheduleRecords;
    jobs: Pick<BackgroundJobs, 'start'>;
    clock: Clock;
    /** Whether only other hosts can do what jobs of a kind do: then one of them starts it. */
    isForOthers: (kind: string) => Promise<boolean>;
    /** Told of a job that could not be started, for the log; also that one of its kind runs already. */
    onFailure: (kind: string, error: unknown) => void;
  }) {
    this.#records = parts.records;
    this.#jobs = parts.jobs;
    this.#clock = parts.clock;
    this.#isForOthers = parts.isForOthers;
    this.#onFailure = parts.onFailure;
    this.#lookedAt = parts.clock.now();
  }

  async list(): Promise<Schedule[]> {
    return (await this.#records.list()).map((stored) => this.#withNext(stored));
  }

  /** Throws `not found` for a kind without a schedule. */
  async get(kind: string): Promise<Schedule> {
    const found = (await this.list()).find((schedule) => schedule.kind === kind);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Throws `not found`. What was due before the change is done with. */
  async change(kind: string, change: ScheduleChange, actor: Actor): Promise<Schedule> {
    await this.#records.change(kind, change, actor);
    return this.get(kind);
  }

  /** From now on jobs start by themselves, until `close`. */
  begin(): void {
    this.#lookedAt = this.#clock.now();
    this.#timer = setInterval(() => this.startDue(), lookMs);
    this.#timer.unref();
  }

  /** Starts what became due since the last look, each kind once; never rejects. */
  startDue(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const since = this.#lookedAt;
    const now = this.#clock.now();
    this.#lookedAt = now; // also when the clock was set back: it is looked at from there on
    const stored = await this.#records.list().catch((error: unknown) => {
      this.#onFailure('', error);
      return [];
    });
    for (const schedule of stored) {
      const due = lastDue(schedule, since, now);
      if (schedule.isOn && due !== null) await this.#start(schedule.kind, due, now);
    }
  }

  /** Of several servers on one database one starts it. */
  async #start(kind: string, due: number, now: number): Promise<void> {
    try {
      if (await this.#isForOthers(kind)) return;
      if (!(await this.#records.claim(kind, toTimestamp(due), toTimestamp(now)))) return;
      await this.#jobs.start({ kind, options: {}, actor: { kind: 'system' } });
    } catch (error) {
      this.#onFailure(kind, error);
    }
  }

  #withNext(stored: StoredSchedule): Schedule {
    const next = stored.isOn ? nextDue(stored, this.#clock.now()) : null;
    return { ...stored, nextAt: next === null ? null : toTimestamp(next) };
  }
}

const toTimestamp = (ms: number) => new Date(ms).toISOString();
