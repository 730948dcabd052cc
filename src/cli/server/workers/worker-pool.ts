import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { FromWorker, Serving, ToWorker } from './messages.ts';

/**
 * Milliseconds before an ended worker is restarted. The pause doubles for each other worker that
 * ended within `rememberedMs`, up to `mostPauseMs`.
 */
const leastPauseMs = 100;
const mostPauseMs = 30_000;
const rememberedMs = 60_000;

/** How a worker process ended. */
export interface Ended {
  /** Exit code; null if a signal ended the process. */
  readonly code: number | null;
}

/**
 * Thrown when a worker ended before it could serve requests. The worker has already printed the
 * reason.
 */
export class NeverServed extends Error {
  readonly code: number;

  constructor({ code }: Ended) {
    super('a worker ended before it served');
    this.code = code ?? 1;
  }
}

/** Starts the workers of a server, replaces workers that ended, and stops all workers. */
export class Team {
  readonly #log: Logger;
  readonly #adminPassword: string | undefined;
  readonly #onEnd: (worker: Worker) => void;
  readonly #living = new Map<Worker, Promise<Ended>>();
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
   * ends. Throws `NeverServed` if the worker ends before it serves.
   */
  async start(): Promise<Serving> {
    if (this.#isStopping) throw new NeverServed({ code: 0 });
    const { worker, serving, ended } = this.#begin();
    const outcome = await Promise.race([serving, ended]);
    if (!('address' in outcome)) throw new NeverServed(outcome);
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
    for (const worker of this.#living.keys()) worker.process.kill('SIGTERM');
  }

  /** Resolves with the exit code when all workers have ended. Call it after `stop`. */
  async ended(): Promise<number> {
    await Promise.all(this.#living.values());
    return this.#failure;
  }

  #begin() {
    const worker = cluster.fork();
    closeLostConnection(worker);
    const serving = new Promise<Serving>((resolve) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'admin password?') {
          const told: ToWorker = { kind: 'admin password', password: this.#adminPassword };
          worker.send(told, () => undefined);
        }
        if (message.kind !== 'serving') return;
        this.#serving.add(worker);
        resolve(message.serving);
      });
    });
    const ended = once(worker, 'exit').then(([code]: (number | null)[]): Ended => {
      this.#living.delete(worker);
      this.#serving.delete(worker);
      this.#onEnd(worker);
      if (this.#isStopping) this.#failure ||= code ?? 0;
      return { code: code ?? null };
    });
    this.#living.set(worker, ended);
    return { worker, serving, ended };
  }

  #replace(worker: Worker, { code }: Ended): void {
    if (this.#isStopping) return;
    const now = performance.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < rememberedMs), now];
    const ms = Math.min(leastPauseMs * 2 ** (this.#deaths.length - 1), mostPauseMs);
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
