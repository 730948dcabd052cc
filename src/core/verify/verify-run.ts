import type { Clock } from '../shared/clock.ts';
import type { VerifyRecords } from './ports.ts';
import type { Finding, Position, VerifyOptions, VerifyPart } from './verification.ts';

/** Between two notes of how far it is: so much is read again after a crash. */
const noteMs = 1_000;

/** One verification: where it is, and what it found since that was noted. */
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

  /** So many bytes are to be read, those included that were read before. */
  expect(bytes: number): void {
    this.#total += bytes;
  }

  /** Goes to a part, to its beginning unless it is there. */
  async enter(part: VerifyPart): Promise<void> {
    if (part === this.#position.part) return;
    this.#position = { ...this.#position, part, after: '' };
    await this.note();
  }

  find(finding: Finding): void {
    this.#findings.push(finding);
  }

  /** Everything up to `after` was compared, the last file having so many bytes. Throws the signal's reason. */
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

  /** Everything up to `after` was compared, without another file. */
  async left(after: string): Promise<void> {
    this.#position = { ...this.#position, after };
    await this.note();
  }

  /** Of the file in hand so many bytes were read. */
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
