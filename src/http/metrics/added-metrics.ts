import { AggregatorRegistry } from 'prom-client';

/** What a process counted, as `Metrics.figures` gives it. */
interface Figure {
  readonly type: string;
}

/** The figures of several processes as those of one. */
export class AddedMetrics {
  /** What processes counted that have ended, so that no sum goes back. */
  #ended: readonly object[] = [];

  /** The media type of `text`. */
  get contentType(): string {
    return AggregatorRegistry.PROMETHEUS_CONTENT_TYPE;
  }

  /** Of these processes, and of those that have ended. */
  text(processes: readonly (readonly object[])[]): Promise<string> {
    return AggregatorRegistry.aggregate([this.#ended, ...processes]).metrics();
  }

  /** Keeps what a process counted until its end; how large or long something was there goes with it. */
  keep(process: readonly object[]): void {
    const counted = process.filter((figure) => (figure as Figure).type !== 'gauge');
    this.#ended = [...this.#ended, ...counted];
  }
}
