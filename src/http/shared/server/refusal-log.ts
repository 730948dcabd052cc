import type { FastifyBaseLogger } from 'fastify';

const minuteMs = 60_000;

/** Logs how many malformed requests were refused, at most one line a minute. */
export class RefusalLog {
  readonly #log: Pick<FastifyBaseLogger, 'info'>;
  #count = 0;
  /** IP address of the client that sent the last refused request. */
  #address: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<FastifyBaseLogger, 'info'>) {
    this.#log = log;
  }

  /** Counts one refused request; `address` is the IP address of its client. */
  record(address: string | undefined): void {
    this.#count += 1;
    this.#address = address;
    this.#timer ??= setTimeout(() => this.flush(), minuteMs).unref();
  }

  /** Writes the line at once, unless the count is 0. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return;
    this.#log.info({ count: this.#count, address: this.#address }, 'refused malformed requests');
    this.#count = 0;
  }
}
