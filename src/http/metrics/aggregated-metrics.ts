import { AggregatorRegistry } from 'prom-client';

/** A metric of one process, in the format of `Metrics.snapshot`. */
interface Metric {
  readonly type: string;
}

/** Merges the metrics of several processes. */
export class AggregatedMetrics {
  /**
   * Metrics of ended processes, without gauges. They stay in the sums, so that no sum decreases.
   */
  #ended: readonly object[] = [];

  /** The media type of the result of `text`. */
  get contentType(): string {
    return AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  }

  /** Returns the merged metrics of these processes and of all ended processes. */
  text(processes: readonly (readonly object[])[]): Promise<string> {
    return AggregatorRegistry.aggregate([this.#ended, ...processes]).metrics();
  }

  /** Stores the metrics of an ended process, except its gauges, for all later results of `text`. */
  retainCounters(process: readonly object[]): void {
    const counted = process.filter((figure) => (figure as Metric).type !== 'gauge');
    this.#ended = [...this.#ended, ...counted];
  }
}
