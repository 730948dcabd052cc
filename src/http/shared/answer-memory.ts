import type { KeptAnswer } from './kept-answer.ts';

/** What an answer takes beside its bytes and its address, roughly. */
const besideBytes = 1_500;

/**
 * Answers of one revision by the address that was asked for, in bounded memory: those go first that were not asked for for
 * longest, and one that would push many out is not kept.
 */
export class AnswerMemory<Answer extends KeptAnswer = KeptAnswer> {
  readonly #mostBytes: number;
  readonly #answers = new Map<string, Answer>();
  #revision: number | undefined;
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** How much is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is one, of whichever revision. */
  has(address: string): boolean {
    return this.#answers.has(address);
  }

  find(address: string, revision: number): Answer | undefined {
    if (revision !== this.#revision) return undefined;
    const answer = this.#answers.get(address);
    if (answer === undefined) return undefined;
    this.#answers.delete(address); // put back as the newest
    this.#answers.set(address, answer);
    return answer;
  }

  /** Keeps what was made at this revision, in the place of what was kept, and forgets what is of another one. */
  keep(address: string, revision: number, answer: Answer): void {
    if (revision !== this.#revision) {
      this.#answers.clear();
      this.#bytes = 0;
      this.#revision = revision;
    }
    const size = sizeOf(address, answer);
    if (size > this.#mostBytes / 16) return;
    const before = this.#answers.get(address);
    if (before !== undefined) {
      this.#answers.delete(address);
      this.#bytes -= sizeOf(address, before);
    }
    this.#answers.set(address, answer);
    this.#bytes += size;
    for (const [oldest, { bytes }] of this.#answers) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#answers.delete(oldest);
      this.#bytes -= sizeOf(oldest, { bytes });
    }
  }
}

function sizeOf(address: string, { bytes }: Pick<KeptAnswer, 'bytes'>): number {
  return bytes.length + 2 * address.length + besideBytes;
}
