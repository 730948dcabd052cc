import { alreadyRunning, stopping } from '../shared/errors.ts';
import type { ServerJobKind } from './job-kind.ts';
import type { Jobs } from './jobs.ts';
import type { JobProcesses, JobRequest } from './ports.ts';

/** A job that a server can start. */
export interface ServerJobRequest extends JobRequest {
  readonly kind: ServerJobKind;
}

/**
 * Starts jobs for a server. Each job runs in a separate process, so that it neither uses the
 * server's memory nor blocks the server's event loop.
 */
export class BackgroundJobs {
  readonly #jobs: Jobs;
  readonly #processes: JobProcesses;
  readonly #onFailure: (error: unknown) => void;
  readonly #settling = new Set<Promise<void>>();
  #isClosing = false;

  constructor(parts: {
    jobs: Jobs;
    processes: JobProcesses;
    /**
     * Called when the end of a job's process could not be recorded. The next query of jobs then
     * marks the job as interrupted.
     */
    onFailure: (error: unknown) => void;
  }) {
    this.#jobs = parts.jobs;
    this.#processes = parts.processes;
    this.#onFailure = parts.onFailure;
  }

  /**
   * Starts a job and returns its id. Throws `already running` when any job of this kind is running,
   * no matter which program started it.
   */
  async start(request: ServerJobRequest): Promise<number> {
    if (this.#isClosing) throw stopping();
    const begun = await this.#jobs.begin(request);
    if ('running' in begun) throw alreadyRunning();
    const settling = this.#runProcess(begun.id)
      .catch(this.#onFailure)
      .finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
    return begun.id;
  }

  /**
   * Interrupts all running jobs. Kills each process that still runs after `withinMs` milliseconds.
   */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#processes.close(withinMs);
    await Promise.all(this.#settling);
  }

  async #runProcess(id: number): Promise<void> {
    const ended = this.#isClosing ? 'the server stopped' : await this.#processes.run(id);
    // Does nothing if the job has already ended normally.
    await this.#jobs.markInterrupted(id, ended);
  }
}
