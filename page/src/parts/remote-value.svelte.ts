import { Refusal } from '../api/request.ts';

/**
 * A value that is read from the server, or the error of the last read. A reload keeps the old
 * value, unless the server responds with 401, 403 or 404.
 */
export class RemoteValue<T> {
  value: T | null = $state.raw(null);
  failure: unknown = $state.raw(null);
  isLoading = $state(false);
  readonly #read: (signal: AbortSignal) => Promise<T>;
  #current: AbortController | null = null;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  /** True if there is a value or an error, which is the case after the first read has ended. */
  get isSettled(): boolean {
    return this.value !== null || this.failure !== null;
  }

  /**
   * Reads the value, after aborting any read in progress. Never rejects. Returns false if a later
   * read or `close` has aborted this one.
   */
  async load(): Promise<boolean> {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    this.isLoading = true;
    try {
      const value = await this.#read(current.signal);
      if (current !== this.#current) return false;
      this.value = value;
      this.failure = null;
    } catch (error) {
      if (current !== this.#current) return false;
      this.failure = error;
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) this.value = null;
    }
    this.isLoading = false;
    return true;
  }

  /** Discards the value and the error, and aborts any read in progress. */
  clear(): void {
    this.close();
    this.value = null;
    this.failure = null;
  }

  /** Aborts any read in progress. */
  close(): void {
    this.#current?.abort();
    this.#current = null;
    this.isLoading = false;
  }
}
