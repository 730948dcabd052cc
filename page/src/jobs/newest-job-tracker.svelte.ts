import { type Job, listNewest } from '../api/jobs.ts';
import type { JobKind } from '../api/schema.ts';
import { isUnended } from './is-unended.ts';
import { Pace } from './pace.ts';

/** Tracks the newest job of one kind. */
export class NewestJobTracker {
  /**
   * The newest job of this kind. Undefined until the first response; null if no job of this kind
   * exists.
   */
  newest: Job | null | undefined = $state.raw();
  /** The error of the last read, or null if the last read succeeded. */
  failure: unknown = $state.raw(null);
  readonly pace = new Pace();
  readonly #kind: JobKind;
  readonly #onEnded: () => void;
  #abort = new AbortController();
  /**
   * Id of the newest job that is known to have ended. Undefined until the first response; 0 if no
   * job has ended.
   */
  #ended: number | undefined;

  /**
   * `newest` is the newest job, null if there is no job, or undefined if the caller does not know.
   * `onEnded` is called when a read shows that another job has ended.
   */
  constructor(kind: JobKind, newest: Job | null | undefined, onEnded: () => void) {
    this.#kind = kind;
    this.#onEnded = onEnded;
    if (newest !== undefined) this.#take(newest);
  }

  get isRunning(): boolean {
    return this.newest ? isUnended(this.newest) : false;
  }

  /** Reads the newest job. Resolves with true if the job is running or queued. Never rejects. */
  async read(): Promise<boolean> {
    const { signal } = this.#abort;
    try {
      const [newest = null] = await listNewest(this.#kind, signal);
      this.#take(newest);
      this.failure = null;
    } catch (error) {
      if (!signal.aborted) this.failure = error;
    }
    return this.isRunning;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  #take(newest: Job | null): void {
    if (newest !== null) this.pace.record(newest, performance.now());
    this.newest = newest;
    const ended = newest !== null && !isUnended(newest) ? newest.id : 0;
    const before = this.#ended;
    if (ended > 0 || before === undefined) this.#ended = ended;
    if (before !== undefined && ended > 0 && ended !== before) this.#onEnded();
  }
}
