import { alreadyRunning, stopping } from '../shared/errors.ts';
import type { Jobs } from './jobs.ts';
import type { JobProcesses, JobRequest } from './ports.ts';

/** Jobs that a server starts: each in a process of its own, so that they take neither its memory nor its turn. */
export class BackgroundJobs {
  readonly #jobs: Jobs;
  readonly #processes: JobProcesses;
  readonly #onFailure: (error: unknown) => void;
  readonly #settling = new Set<Promise<void>>();
  #isClosing = false;

  constructor(parts: {
    jobs: Jobs;
    processes: JobProcesses;
    /** Told when the end of a process could not be noted; its job is interrupted when somebody looks. */
    onFailure: (error: unknown) => void;
  }) {
    this.#jobs = parts.jobs;
    this.#processes = parts.processes;
    this.#onFailure = parts.onFailure;
  }

  /** Returns the id of the new job. Throws `already running` when one of the kind runs, whoever started it. */
  async start(request: JobRequest): Promise<number> {
    if (this.#isClosing) throw stopping();
    const begun = await this.#jobs.begin(request);
    if ('running' in begun) throw alreadyRunning();
    const settling = this.#carryOut(begun.id)
      .catch(this.#onFailure)
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
    return begun.id;
  }

  /** Interrupts the jobs that run, and ends the processes that go on for so many milliseconds. */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#processes.close(withinMs);
    await Promise.all(this.#settling);
  }

  async #carryOut(id: number): Promise<void> {
    const ended = this.#isClosing ? 'the server stopped' : await this.#processes.run(id);
    // Nothing for a job that came to an end of its own.
    await this.#jobs.giveUp(id, ended);
  }
}
