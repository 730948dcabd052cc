import { Worker } from 'node:worker_threads';
import { toError } from './errors.ts';
import { Interruption } from './interruption.ts';
import type { Command, Failure, Reply, Role } from './protocol.ts';

interface Pending {
  resolve: (value: never) => void;
  reject: (failure: Failure | Error) => void;
}

// The build renames imports but no URLs: the file is `.ts` in development and `.js` in dist.
const WORKER = new URL(
  `./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** A database thread as the main thread sees it: commands go out, replies come back in order. */
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
      // Messages are short-lived garbage; a small nursery keeps the threads small.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on('message', (reply: Reply) => this.#settle(reply));
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
   * Starts a thread and opens the database in it. Throws the error that `toError` makes of a
   * failure. `writesTo` is the file whose disk is checked when an error may mean that the disk is
   * full.
   */
  static async start(file: string, role: Role, writesTo = file): Promise<DatabaseThread> {
    const thread = new DatabaseThread(writesTo);
    try {
      await thread.ask({ op: 'open', file, role });
      return thread;
    } catch (error) {
      await thread.stop();
      throw error;
    }
  }

  /** Returns the number of commands that have no reply yet. */
  get inFlight(): number {
    return this.#pending.size;
  }

  /**
   * Sends a command and returns its reply; `onFailure` gets the failure before it becomes an error.
   */
  async ask<T>(command: Command, onFailure?: (failure: Failure) => void): Promise<T> {
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

  /** Sends a command that has no reply; does nothing when the thread has ended. */
  tell(command: Command): void {
    if (!this.#ended) this.#worker.postMessage({ ...command, id: ++this.#lastId });
  }

  /** Returns the id of the command that was sent last. */
  get lastSent(): number {
    return this.#lastId;
  }

  /**
   * Ends a command with busy() at the point where its statement checks for interruption
   * (`dialect.endsInTime`). Has no effect once the command has its reply.
   */
  interrupt(sent: number): void {
    this.#interruption.interrupt(sent);
  }

  /** Closes the connection after the commands sent so far, and waits for the thread to end. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    await this.ask({ op: 'close' }).catch(() => this.#worker.terminate());
    await this.#exited;
  }

  #settle(reply: Reply): void {
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
