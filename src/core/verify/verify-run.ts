import type { Clock } from '../shared/clock.ts';
import type { VerifyRecords } from './ports.ts';
import type { Finding, Position, VerifyOptions, VerifyPart } from './verification.ts';

/**
 * Interval between saves of the position, in milliseconds. After a crash, the data verified since
 * the last save is read again.
 */
const saveIntervalMs = 1_000;

/** A verification in progress: its position, and the findings since the last save. */
export class VerifyRun {
  readonly #records: Pick<VerifyRecords, 'savePosition'>;
  readonly #options: VerifyOptions;
  readonly #clock: Clock;
  #position: Position;
  #savedPosition: Position;
  #findings: Finding[] = [];
  #savedAt: number;
  #total = 0;

  constructor(parts: {
    records: Pick<VerifyRecords, 'savePosition'>;
    position: Position;
    options: VerifyOptions;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#position = parts.position;
    this.#savedPosition = parts.position;
    this.#options = parts.options;
    this.#clock = parts.clock;
    this.#savedAt = parts.clock.monotonic();
  }

  get position(): Position {
    return this.#position;
  }

  /**
   * Increases the total number of bytes to read. The total includes bytes that an interrupted run
   * has already read.
   */
  expect(bytes: number): void {
    this.#total += bytes;
  }

  /** Moves the position to the start of a part, unless it is already within that part. */
  async enterPart(part: VerifyPart): Promise<void> {
    if (part === this.#position.part) return;
    this.#position = { ...this.#position, part, after: '' };
    await this.save();
  }

  addFinding(finding: Finding): void {
    this.#findings.push(finding);
  }

  /**
   * Moves the position past a compared file. `after` identifies the file, and `bytes` is its size.
   * Throws the signal's reason when aborted.
   */
  async advance(after: string, bytes: number): Promise<void> {
    const { position } = this;
    this.#position = {
      ...position,
      after,
      files: position.files + 1,
      bytes: position.bytes + bytes,
    };
    if (this.#clock.monotonic() - this.#savedAt > saveIntervalMs) await this.save();
    this.#options.signal.throwIfAborted();
  }

  /** Moves the position to `after` without counting a file, and saves the position. */
  async moveTo(after: string): Promise<void> {
    this.#position = { ...this.#position, after };
    await this.save();
  }

  /** Reports the progress. `bytes` is the number of bytes that were read after the position. */
  reportProgress(name: string, bytes: number): void {
    const { onProgress } = this.#options;
    const done = this.#position.bytes + bytes;
    onProgress({ ...this.#position, bytes: done, total: Math.max(this.#total, done), name });
  }

  async save(): Promise<void> {
    if (this.#savedPosition === this.#position && this.#findings.length === 0) return;
    const findings = this.#findings;
    await this.#records.savePosition(this.#position, findings);
    this.#findings = [];
    this.#savedPosition = this.#position;
    this.#savedAt = this.#clock.monotonic();
  }
}
