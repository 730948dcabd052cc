import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route's path with its parameters, `/api/releases/{release_id}`; `none` for a path that is unknown. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What is looked at when somebody asks for the figures. */
export interface Measured {
  /** How many wait, by what for. */
  queues(): Readonly<Record<string, number>>;
  /** The kinds of the jobs that run. */
  runningJobs(): Promise<readonly string[]>;
  /** When the newest backup ended, in milliseconds since 1970; null when there is none. */
  lastBackup(): Promise<number | null>;
  /** Bytes that may still be written to the data folder. */
  freeBytes(): Promise<number>;
}

/** Seconds. A page from memory takes less than the first, a search that is broken off about the last but two. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The figures of one server, in the text format of Prometheus (exposition format 0.0.4). */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  constructor(measured: Measured) {
    const registers = [this.#registry];
    // the process: memory, CPU, open files, the delay of its event loop
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
      aggregator: 'max', // several processes look at the same
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
      aggregator: 'max', // several processes look at the same
      help: 'When the newest backup ended; 0 when there is none',
      registers,
      async collect() {
        this.set(((await measured.lastBackup()) ?? 0) / 1000);
      },
    });
    new Gauge({
      name: 'catalog_free_bytes',
      aggregator: 'min', // several processes look at the same
      help: 'Bytes that may still be written to the data folder',
      registers,
      async collect() {
        this.set(await measured.freeBytes());
      },
    });
  }

  /** The media type of `text`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  note({ method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /** As they are added to those of other processes; rejects as `text`. */
  figures(): Promise<object[]> {
    return this.#registry.getMetricsAsJSON();
  }

  /** Rejects when something that is looked at fails, such as the database. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
