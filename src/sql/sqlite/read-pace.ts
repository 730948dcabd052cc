/** How long one read may take on the server's own thread, in milliseconds. */
const longest = 25;
/** How long 95 of the last 100 may. */
const longestOfMost = 5;
const looked = 100;
const longOnes = looked / 20;
/** As many reads in a row as quick as this show that the disk is quick again. */
const quick = 1;

/**
 * Decides by the time that reads take whether they may run on the server's own thread, where nothing else runs meanwhile:
 * not on a disk that is slow, or has become so.
 */
export class ReadPace {
  /** Whether each of the last ones took long, the oldest at `#next`. */
  readonly #wereLong = new Array<boolean>(looked).fill(false);
  #next = 0;
  #long = 0;
  #quickInARow = 0;
  #isDirect = true;

  get isDirect(): boolean {
    return this.#isDirect;
  }

  /** After a read on the server's own thread. */
  noteDirect(ms: number): void {
    const isLong = ms > longestOfMost;
    if (this.#wereLong[this.#next]) this.#long -= 1;
    if (isLong) this.#long += 1;
    this.#wereLong[this.#next] = isLong;
    this.#next = (this.#next + 1) % looked;
    if (ms >= longest || this.#long > longOnes) this.leave();
  }

  /** After a read on another thread; `ms` without the way there. */
  noteThreaded(ms: number): void {
    if (this.#isDirect) return;
    this.#quickInARow = ms < quick ? this.#quickInARow + 1 : 0;
    if (this.#quickInARow < looked) return;
    this.#isDirect = true;
    this.#wereLong.fill(false);
    this.#long = 0;
  }

  /** Has other threads read from now on. */
  leave(): void {
    this.#isDirect = false;
    this.#quickInARow = 0;
  }
}
