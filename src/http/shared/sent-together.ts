/** So many at most wait, so that the first of them does not wait for long. */
const mostWaiting = 64;

/**
 * Sends what is ready when everything that arrived together was read, in one go. A client that sleeps is woken by what it is
 * sent first, and is awake for the rest; sent one by one, between reading requests, each answer would wake it, which takes
 * as long as sending does. That counts where many connections are those of one process of this machine, such as a proxy.
 */
export class SentTogether {
  #waiting: (() => void)[] = [];

  add(send: () => void): void {
    if (this.#waiting.length === 0) setImmediate(() => this.sendAll());
    this.#waiting.push(send);
    if (this.#waiting.length >= mostWaiting) this.sendAll();
  }

  sendAll(): void {
    const sends = this.#waiting;
    this.#waiting = [];
    for (const send of sends) send();
  }
}
