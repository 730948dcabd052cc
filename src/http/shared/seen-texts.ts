/** Longer texts are taken for seen, so that many of them take no memory. */
const longest = 1_000;

/** Remembers the texts that came last, so many. */
export class SeenTexts {
  readonly #most: number;
  /** Those that came last at the end. */
  readonly #texts = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a text; whether it has come before. */
  addAgain(text: string): boolean {
    if (text.length > longest) return true;
    const isSeen = this.#texts.delete(text);
    this.#texts.add(text);
    if (this.#texts.size > this.#most) {
      for (const oldest of this.#texts) {
        this.#texts.delete(oldest);
        break;
      }
    }
    return isSeen;
  }
}
