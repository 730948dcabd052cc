import { Worker } from 'node:worker_threads';
import { toError } from '../errors.ts';
import { Interruption } from './interruption.ts';
import type { Command, Failure, Reply, Role } from './protocol.ts';

interface Pending {
  resolve: (value: never) => void;
  reject: (failure: Failure | Error) => void;
}

// The build changes file names in imports but not in URLs. The worker file ends with `.ts` in
// development and with `.js` in dist.
const WORKER = new URL(
  `./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/**
 * Represents a database thread on the main thread. Commands are sent to the thread, and replies
 * arrive in the same order.
 */
export class DatabaseThread {
  readonly #writesTo: string;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #interruption = new Interruption();
  readonly #exited: Promise<void>;
  #lastId = 0;
  #cause: unknown;
  #ended: Error | undefined;

  private constructor(writesTo: string) {
    this.#writesTo = writesTo;
    this.#worker = new Worker(WORKER, {
      name: 'catalog-sqlite',
      execArgv: [],
      workerData: this.#interruption.shared,
      // Messages become garbage quickly, so a small young generation suffices. The small size
      // reduces the memory that the thread uses.
      resourceLimits: { maxYoungGenerationSizeMb: 3 },
    });
    this.#worker.on('message', (reply: Reply) => this.#handleReply(reply));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end();
        resolve();
      });
    });
  }

  /**
   * Starts a thread that opens the database. A failure is translated by `toError`. `writesTo` is
   * the file that the thread writes. If an error may mean a full disk, the disk of this file is
   * checked.
   */
  static async start(file: string, role: Role, writesTo = file): Promise<DatabaseThread> {
    const thread = new DatabaseThread(writesTo);
    try {
      await thread.request({ op: 'open', file, role });
      return thread;
    } catch (error) {
      await thread.stop();
      throw error;
    }
  }

  /** Returns the number of commands without a reply. */
  get inFlight(): number {
    return this.#pending.size;
  }

  /**
   * Sends a command and returns the reply. If the command fails, `onFailure` is called before the
   * failure is translated into an error.
   */
  async request<T>(command: Command, onFailure?: (failure: Failure) => void): Promise<T> {
    if (this.#ended) throw this.#ended;
    const id = ++this.#lastId;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#worker.postMessage({ ...command, id });
        this.#pending.set(id, { resolve, reject });
      });
    } catch (error) {
      if (error instanceof Error) throw error;
      onFailure?.(error as Failure);
      throw await toError(error as Failure, this.#writesTo);
    }
  }

  /** Sends a command that gets no reply. Does nothing if the thread has ended. */
  post(command: Command): void {
    if (!this.#ended) this.#worker.postMessage({ ...command, id: ++this.#lastId });
  }

  /** Returns the id of the command that was sent last. */
  get lastSent(): number {
    return this.#lastId;
  }

  /**
   * Makes a command fail with busy() when its statement next checks for interruption
   * (`dialect.interruptionPoint`). Does nothing if the command already has its reply.
   */
  interrupt(sent: number): void {
    this.#interruption.interrupt(sent);
  }

  /**
   * Closes the connection after all commands that were sent earlier, and waits until the thread has
   * ended.
   */
  async stop(): Promise<void> {
    if (this.#ended) return;
    await this.request({ op: 'close' }).catch(() => this.#worker.terminate());
    await this.#exited;
  }

  #handleReply(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('failure' in reply) pending?.reject(reply.failure);
    else pending?.resolve(reply.value as never);
  }

  #end(): void {
    this.#ended = new Error('the database thread has ended', { cause: this.#cause });
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}
