import { AggregatorRegistry } from 'prom-client';

/** A metric of one process, as returned by `Metrics.figures`. */
interface Figure {
  readonly type: string;
}

/** Merges the metrics of several processes into one. */
export class AddedMetrics {
  /**
   * Metrics of processes that have ended, without gauges. These metrics stay in the sums, so that
   * no sum decreases.
   */
  #ended: readonly object[] = [];

  /** The media type of `text`. */
  get contentType(): string {
    return AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  }

  /** Returns the merged metrics of these processes and of those that have ended. */
  text(processes: readonly (readonly object[])[]): Promise<string> {
    return AggregatorRegistry.aggregate([this.#ended, ...processes]).metrics();
  }

  /** Keeps all metrics of a process that ended, except its gauges. */
  keep(process: readonly object[]): void {
    const counted = process.filter((figure) => (figure as Figure).type !== 'gauge');
    this.#ended = [...this.#ended, ...counted];
  }
}
