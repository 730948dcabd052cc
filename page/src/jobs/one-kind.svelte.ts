import { type Job, listNewest } from '../api/jobs.ts';
import { Pace } from './pace.ts';

/** The newest job of one kind, as it goes. */
export class OneKind {
  /** Undefined until the first answer; null when there never was one. */
  newest: Job | null | undefined = $state.raw();
  /** Why the last question was not answered. */
  failure: unknown = $state.raw(null);
  readonly pace = new Pace();
  readonly #kind: string;
  readonly #onEnded: () => void;
  #abort = new AbortController();
  /** The id of the newest that is known to have ended; undefined until the first answer. */
  #ended: number | undefined;

  /** `newest` where it is known already; `onEnded` hears of each job that ends while it is looked at. */
  constructor(kind: string, newest: Job | null | undefined, onEnded: () => void) {
    this.#kind = kind;
    this.#onEnded = onEnded;
    if (newest !== undefined) this.#take(newest);
  }

  get isRunning(): boolean {
    return this.newest?.state === 'running';
  }

  /** Asks the server; says whether it runs. Never throws. */
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
    if (newest !== null) this.pace.note(newest, performance.now());
    this.newest = newest;
    const ended = newest !== null && newest.state !== 'running' ? newest.id : 0;
    const before = this.#ended;
    if (ended > 0 || before === undefined) this.#ended = ended;
    if (before !== undefined && ended > 0 && ended !== before) this.#onEnded();
  }
}
