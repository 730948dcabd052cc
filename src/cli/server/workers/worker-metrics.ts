import type { Worker } from 'node:cluster';
import { AggregatedMetrics } from '../../../http/metrics/aggregated-metrics.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/**
 * Timeout, in milliseconds, for the metrics of one worker. After a timeout, the worker's previous
 * metrics are used.
 */
const responseTimeoutMs = 3_000;

/**
 * Merges the metrics of all workers. The last known counters of workers that have ended are
 * included.
 */
export class WorkerMetrics {
  readonly #added = new AggregatedMetrics();
  readonly #serving: () => Iterable<Worker>;
  readonly #last = new Map<Worker, readonly object[]>();
  #lastRequestId = 0;

  constructor(serving: () => Iterable<Worker>) {
    this.#serving = serving;
  }

  get contentType(): string {
    return this.#added.contentType;
  }

  async text(): Promise<string> {
    await Promise.all([...this.#serving()].map((worker) => this.#requestMetrics(worker)));
    return this.#added.text([...this.#last.values()]);
  }

  /**
   * Adds the last counters of a worker permanently to the sums. Must be called when the worker has
   * ended.
   */
  retainCounters(worker: Worker): void {
    const last = this.#last.get(worker);
    this.#last.delete(worker);
    if (last !== undefined) this.#added.retainCounters(last);
  }

  #requestMetrics(worker: Worker): Promise<void> {
    this.#lastRequestId += 1;
    const id = this.#lastRequestId;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('exit', end);
        resolve();
      };
      const onMessage = (message: FromWorker) => {
        if (message.kind !== 'figures' || message.id !== id) return;
        if (message.figures !== null) this.#last.set(worker, message.figures);
        end();
      };
      const timer = setTimeout(end, responseTimeoutMs);
      worker.on('message', onMessage).once('exit', end);
      worker.send({ kind: 'figures', id } satisfies ToWorker, () => undefined);
    });
  }
}
