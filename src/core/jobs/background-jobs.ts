import { alreadyRunning, stopping } from '../shared/errors.ts';
import type { Jobs } from './jobs.ts';
import type { JobProcesses, JobRequest } from './ports.ts';

/**
 * Jobs that a server starts. Each has its own process, so that it does not take the server's memory
 * or block its event loop.
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
     * Called when the end of a process could not be recorded; its job is marked interrupted at the
     * next query.
     */
    onFailure: (error: unknown) => void;
  }) {
    this.#jobs = parts.jobs;
    this.#processes = parts.processes;
    this.#onFailure = parts.onFailure;
  }

  /**
   * Returns the id of the new job. Throws `already running` when a job of the kind is running,
   * regardless of who started it.
   */
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

  /** Interrupts running jobs, and kills processes that still run after `withinMs`. */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true;
    await this.#processes.close(withinMs);
    await Promise.all(this.#settling);
  }

  async #carryOut(id: number): Promise<void> {
    const ended = this.#isClosing ? 'the server stopped' : await this.#processes.run(id);
    // Does nothing to a job that ended by itself.
    await this.#jobs.giveUp(id, ended);
  }
}
