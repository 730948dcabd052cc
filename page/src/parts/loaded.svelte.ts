import { Refusal } from '../api/request.ts';

/** Something that is read from the server: its value, or why there is none. An older value stays while it is read anew. */
export class Loaded<T> {
  value: T | null = $state.raw(null);
  failure: unknown = $state.raw(null);
  isLoading = $state(false);
  readonly #read: (signal: AbortSignal) => Promise<T>;
  #current: AbortController | null = null;

  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  /** Reads it (again); a reading under way is given up. Never throws. */
  async load(): Promise<void> {
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    this.isLoading = true;
    try {
      const value = await this.#read(current.signal);
      if (current !== this.#current) return;
      this.value = value;
      this.failure = null;
    } catch (error) {
      if (current !== this.#current) return;
      this.failure = error;
      if (error instanceof Refusal && [401, 403, 404].includes(error.status)) this.value = null;
    }
    this.isLoading = false;
  }

  /** Gives up what is under way. */
  close(): void {
    this.#current?.abort();
    this.#current = null;
  }
}
