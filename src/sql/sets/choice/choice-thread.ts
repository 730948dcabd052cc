import { Worker } from 'node:worker_threads';
import type { ChoiceReply, ChoiceRequest } from './choice-messages.ts';

// The file's extension is `.ts` in development and `.js` in dist. The build changes extensions in
// imports but not in URLs.
const module = new URL(
  `./choice-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);
/** Time in milliseconds after which an idle thread is closed. */
const idleMs = 10_000;

const threadEnded = () => new Error('the thread that chooses editions ended');

/**
 * Chooses editions on a separate thread, because choosing in a large catalogue would block the main
 * thread for too long. The first request starts the thread, which ends `idleMs` after the last one.
 */
export class ChoiceThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #waiting: { resolve(reply: ChoiceReply): void; reject(error: Error): void }[] = [];

  /** Starts the thread, so that it is ready for the next request. */
  start(): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#startWorker();
    this.#endWhenIdle();
  }

  async choose(request: ChoiceRequest): Promise<ChoiceReply> {
    this.start();
    const reply = new Promise<ChoiceReply>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#worker?.ref();
    this.#worker?.postMessage(request);
    try {
      return await reply;
    } finally {
      if (this.#waiting.length === 0) this.#worker?.unref();
      this.#endWhenIdle();
    }
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#waiting.length === 0) void this.#giveUp(threadEnded())?.terminate();
    }, idleMs).unref();
  }

  #startWorker(): Worker {
    const worker = new Worker(module, {
      name: 'catalog-choices',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    worker.unref();
    worker.on('message', (reply: ChoiceReply) => this.#waiting.shift()?.resolve(reply));
    const fail = (error: Error) => {
      if (this.#worker === worker) this.#giveUp(error);
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(threadEnded()));
    return worker;
  }

  #giveUp(error: Error): Worker | undefined {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    return worker;
  }
}
