import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A completed request. */
export interface CompletedRequest {
  readonly method: string;
  /**
   * Path of the route with its parameters, such as `/api/releases/{release_id}`; `none` for an
   * unknown path.
   */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The values that are read whenever metrics are requested. */
export interface MetricSources {
  /** Number of waiting operations per queue. */
  queues(): Readonly<Record<string, number>>;
  /** The kinds of the running jobs. */
  runningJobs(): Promise<readonly string[]>;
  /** Time when the newest backup ended, in milliseconds since 1970; null if there is none. */
  lastBackup(): Promise<number | null>;
  /** Number of bytes that can still be written to the data folder. */
  freeBytes(): Promise<number>;
}

/** Upper bounds of the histogram buckets, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metrics of one server, in the Prometheus text format (exposition format 0.0.4). */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor(measured: MetricSources) {
    const registers = [this.#registry];
    // Metrics of the process: memory, CPU, open files, event loop delay.
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'catalog_http_request_duration_seconds',
      help: 'Answered requests, until the last byte was handed to the system',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers,
    });
    new Gauge({
      name: 'catalog_queue_waiting',
      help: 'Requests that wait for their turn',
      labelNames: ['queue'],
      registers,
      collect() {
        for (const [queue, waiting] of Object.entries(measured.queues())) {
          this.set({ queue }, waiting);
        }
      },
    });
    new Gauge({
      name: 'catalog_jobs_running',
      aggregator: 'max', // all processes measure the same value
      help: 'Jobs that run, whoever started them',
      labelNames: ['kind'],
      registers,
      async collect() {
        const kinds = await measured.runningJobs();
        this.reset();
        for (const kind of kinds) this.inc({ kind });
      },
    });
    new Gauge({
      name: 'catalog_last_backup_timestamp_seconds',
      aggregator: 'max', // all processes measure the same value
      help: 'When the newest backup ended; 0 when there is none',
      registers,
      async collect() {
        this.set(((await measured.lastBackup()) ?? 0) / 1000);
      },
    });
    new Gauge({
      name: 'catalog_free_bytes',
      aggregator: 'min', // all processes measure the same value
      help: 'Bytes that may still be written to the data folder',
      registers,
      async collect() {
        this.set(await measured.freeBytes());
      },
    });
  }

  /** The media type of the result of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  record({ method, route, status, seconds }: CompletedRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /**
   * Returns the metrics as objects, to be merged with the metrics of other processes. Rejects with
   * the errors of `text`.
   */
  snapshot(): Promise<object[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /**
   * Returns the metrics as text. Rejects if a value cannot be read, for example from the database.
   */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
