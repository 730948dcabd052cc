import type { Clock } from '../shared/clock.ts';
import type { VerifyRecords } from './ports.ts';
import type { Finding, Position, VerifyOptions, VerifyPart } from './verification.ts';

/**
 * Interval between saves of the position, in milliseconds. After a crash, this much is read again.
 */
const noteMs = 1_000;

/** One verification: its position, and the findings since the position was saved. */
export class VerifyRun {
  readonly #records: Pick<VerifyRecords, 'note'>;
  readonly #options: VerifyOptions;
  readonly #clock: Clock;
  #position: Position;
  #noted: Position;
  #findings: Finding[] = [];
  #notedAt: number;
  #total = 0;

  constructor(parts: {
    records: Pick<VerifyRecords, 'note'>;
    position: Position;
    options: VerifyOptions;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#position = parts.position;
    this.#noted = parts.position;
    this.#options = parts.options;
    this.#clock = parts.clock;
    this.#notedAt = parts.clock.monotonic();
  }

  get position(): Position {
    return this.#position;
  }

  /** Adds to the number of bytes to read, including those that an earlier run read. */
  expect(bytes: number): void {
    this.#total += bytes;
  }

  /** Moves to the start of a part, unless the run is already in it. */
  async enter(part: VerifyPart): Promise<void> {
    if (part === this.#position.part) return;
    this.#position = { ...this.#position, part, after: '' };
    await this.note();
  }

  find(finding: Finding): void {
    this.#findings.push(finding);
  }

  /**
   * Records that everything up to `after` was compared; the last file has `bytes` bytes. Throws the
   * signal's reason.
   */
  async passed(after: string, bytes: number): Promise<void> {
    const { position } = this;
    this.#position = {
      ...position,
      after,
      files: position.files + 1,
      bytes: position.bytes + bytes,
    };
    if (this.#clock.monotonic() - this.#notedAt > noteMs) await this.note();
    this.#options.signal.throwIfAborted();
  }

  /** Records that everything up to `after` was compared, without another file. */
  async left(after: string): Promise<void> {
    this.#position = { ...this.#position, after };
    await this.note();
  }

  /** Reports how many bytes of the current file were read. */
  tell(name: string, bytes: number): void {
    const { onProgress } = this.#options;
    const done = this.#position.bytes + bytes;
    onProgress({ ...this.#position, bytes: done, total: Math.max(this.#total, done), name });
  }

  async note(): Promise<void> {
    if (this.#noted === this.#position && this.#findings.length === 0) return;
    const findings = this.#findings;
    await this.#records.note(this.#position, findings);
    this.#findings = [];
    this.#noted = this.#position;
    this.#notedAt = this.#clock.monotonic();
  }
}
