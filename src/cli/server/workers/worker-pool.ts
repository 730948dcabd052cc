import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { FromWorker, Serving, ToWorker } from './messages.ts';

/**
 * Milliseconds before an ended worker is restarted. The pause doubles for each other worker that
 * ended within `deathWindowMs`, up to `maxRestartDelayMs`.
 */
const minRestartDelayMs = 100;
const maxRestartDelayMs = 30_000;
const deathWindowMs = 60_000;

/** How a worker process ended. */
export interface WorkerExit {
  /** Exit code; null if a signal ended the process. */
  readonly code: number | null;
}

/**
 * Thrown when a worker ended before it could serve requests. The worker has already printed the
 * reason.
 */
export class WorkerStartFailure extends Error {
  readonly code: number;

  constructor({ code }: WorkerExit) {
    super('a worker ended before it served');
    this.code = code ?? 1;
  }
}

/** Starts the workers of a server, replaces workers that ended, and stops all workers. */
export class WorkerPool {
  readonly #log: Logger;
  readonly #adminPassword: string | undefined;
  readonly #onEnd: (worker: Worker) => void;
  readonly #alive = new Map<Worker, Promise<WorkerExit>>();
  readonly #serving = new Set<Worker>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #deaths: number[] = [];
  #isStopping = false;
  /** Exit code of the first worker that failed while stopping; 0 if no worker failed. */
  #failure = 0;

  constructor(parts: {
    log: Logger;
    /** Password that is sent to the worker that creates the first admin. */
    adminPassword: string | undefined;
    onEnd: (worker: Worker) => void;
  }) {
    this.#log = parts.log;
    this.#adminPassword = parts.adminPassword;
    this.#onEnd = parts.onEnd;
  }

  /** The workers that serve requests. */
  get serving(): Iterable<Worker> {
    return this.#serving;
  }

  /**
   * Starts a worker and waits until it serves. From then on, the worker is replaced whenever it
   * ends. Throws `WorkerStartFailure` if the worker ends before it serves.
   */
  async start(): Promise<Serving> {
    if (this.#isStopping) throw new WorkerStartFailure({ code: 0 });
    const { worker, serving, ended } = this.#begin();
    const outcome = await Promise.race([serving, ended]);
    if (!('address' in outcome)) throw new WorkerStartFailure(outcome);
    ended.then((how) => this.#replace(worker, how));
    return outcome;
  }

  /**
   * Requests all workers to stop. A second call requests an immediate stop, like a second signal to
   * a single process.
   */
  stop(): void {
    this.#isStopping = true;
    for (const pause of this.#pauses) clearTimeout(pause);
    for (const worker of this.#alive.keys()) worker.process.kill('SIGTERM');
  }

  /** Resolves with the exit code when all workers have ended. Call it after `stop`. */
  async ended(): Promise<number> {
    await Promise.all(this.#alive.values());
    return this.#failure;
  }

  #begin() {
    const worker = cluster.fork();
    closeLostConnection(worker);
    const serving = new Promise<Serving>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'admin password?') {
          const reply: ToWorker = { kind: 'admin password', password: this.#adminPassword };
          worker.send(reply, () => undefined);
        }
        if (message.kind !== 'serving') return;
        this.#serving.add(worker);
        resolve(message.serving);
      });
    });
    const ended = once(worker, 'exit').then(([code]: (number | null)[]): WorkerExit => {
      this.#alive.delete(worker);
      this.#serving.delete(worker);
      this.#onEnd(worker);
      if (this.#isStopping) this.#failure ||= code ?? 0;
      return { code: code ?? null };
    });
    this.#alive.set(worker, ended);
    return { worker, serving, ended };
  }

  #replace(worker: Worker, { code }: WorkerExit): void {
    if (this.#isStopping) return;
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < deathWindowMs), now];
    const ms = Math.min(minRestartDelayMs * 2 ** (this.#deaths.length - 1), maxRestartDelayMs);
    const { pid, signalCode: signal } = worker.process;
    this.#log.warn({ pid, code, signal, ms }, 'a worker ended: starting another one');
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      const next = this.#begin();
      next.ended.then((how) => this.#replace(next.worker, how));
    }, ms);
    this.#pauses.add(pause);
  }
}

/** A connection that node:cluster passes to a worker. */
interface Handle {
  close(): void;
}

/**
 * Closes a connection that was sent to a worker but not accepted before the worker ended. Otherwise
 * the connection would stay open in this process, and the client would wait forever. Only the last
 * connection needs closing, because connections are sent one at a time.
 */
function closeLostConnection({ process: child }: Worker): void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: Handle | undefined;
  Object.assign(child, {
    send(message: unknown, handle?: Handle, ...rest: unknown[]) {
      if (typeof handle?.close === 'function') last = handle;
      return send(message, handle, ...rest);
    },
  });
  // If the worker accepted the connection, this process has already closed its own copy. Closing
  // the copy again has no effect.
  child.once('exit', () => last?.close());
}
