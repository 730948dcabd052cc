import { DatIntake, type RowSink } from './dat-intake.ts';
import type { DatReader, ImportedDat, ImportFile, Staging } from './ports.ts';

/**
 * Limits of unstaged data: reading pauses while this many rows or bytes were read but not staged
 * yet.
 */
const maxUnstaged = { rows: 2_000, bytes: 1024 * 1024 };

/** The part of a file that was staged so far. */
export interface StagedSoFar {
  readonly bytesRead: number;
  readonly rows: number;
}

/**
 * Reads and parses one file while the database may still be importing the previous file. Parsed
 * rows wait in memory until they are staged; their number is limited. The constructor starts
 * reading. The caller must end reading with `stageAll` or `stop`.
 */
export class FileReading {
  readonly #file: ImportFile;
  readonly #signal: AbortSignal;
  readonly #intake: DatIntake;
  readonly #reading: Promise<{ sha256: string }>;
  #waiting: ((sink: RowSink) => void)[] = [];
  #bytesRead = 0;
  #bytesTaken = 0;
  #isOver = false;
  #isStopped = false;
  /** Wakes the reader or the stager, whichever is waiting. They never wait at the same time. */
  #wake = () => {};

  constructor(file: ImportFile, readDat: DatReader, signal: AbortSignal) {
    this.#file = file;
    this.#signal = signal;
    this.#intake = new DatIntake({
      add: (row) => this.#waiting.push((sink) => sink.add(row)),
      addRefused: (row) => this.#waiting.push((sink) => sink.addRefused(row)),
      addFacts: (facts, rowHasName) =>
        this.#waiting.push((sink) => sink.addFacts(facts, rowHasName)),
    });
    this.#reading = readDat(this.#bytes(), this.#intake).finally(() => {
      this.#isOver = true;
      this.#wake();
    });
    this.#reading.catch(() => {}); // `stageAll` throws this error
  }

  /**
   * Stages all rows of the file. Throws errors of reading, of parsing and of `staging`. Throws the
   * signal's reason when aborted. After an error the caller must call `stop`.
   */
  async stageAll(staging: Staging, onStaged: (soFar: StagedSoFar) => void): Promise<ImportedDat> {
    while (!this.#isOver || this.#waiting.length > 0) {
      const isAllTaken = this.#bytesRead === this.#bytesTaken;
      if (isAllTaken && !this.#isOver) await this.#change();
      if (this.#isOver) await this.#reading; // a refused file throws here, before staging its rows
      const taken = this.#waiting;
      const soFar = { bytesRead: this.#bytesRead, rows: this.#intake.rows };
      this.#waiting = [];
      this.#bytesTaken = this.#bytesRead;
      this.#wake();
      for (const put of taken) put(staging);
      await staging.flush();
      this.#signal.throwIfAborted();
      onStaged(soFar);
    }
    const { sha256 } = await this.#reading;
    return this.#intake.result(this.#file.path, sha256);
  }

  /** Stops reading. Resolves when reading has stopped. Never throws. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#reading.catch(() => {});
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#file.read()) {
      this.#bytesRead += chunk.byteLength;
      yield chunk; // the parser reads this chunk before it requests the next chunk
      this.#wake();
      while (!this.#isStopped && this.#hasEnough()) await this.#change();
      if (this.#isStopped) throw new Error('reading was stopped');
      this.#signal.throwIfAborted();
    }
  }

  #hasEnough(): boolean {
    const bytes = this.#bytesRead - this.#bytesTaken;
    return this.#waiting.length >= maxUnstaged.rows || bytes >= maxUnstaged.bytes;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
