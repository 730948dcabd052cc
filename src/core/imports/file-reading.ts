import { DatIntake } from './dat-intake.ts';
import {
  type DatReader,
  type FileImport,
  type ImportedDat,
  type ImportFile,
  rowsPerStage,
  type StageRows,
} from './ports.ts';

/**
 * Limits of unstaged data: reading pauses while this many rows are not staged yet, or after this
 * many bytes since all rows were staged.
 */
const maxUnstaged = { rows: 5_000, bytes: 2 * 1024 * 1024 };

/** The part of a file that was read so far. The last rows of this part may not be staged yet. */
export interface ReadSoFar {
  readonly bytesRead: number;
  readonly rows: number;
}

/**
 * Reads and parses one file while the database may still be importing the previous file. Parsed
 * rows are kept in memory until they are staged; their number is limited. The constructor starts
 * reading. The caller must end reading with `stageAll` or `stop`.
 */
export class FileReading {
  readonly #file: ImportFile;
  readonly #signal: AbortSignal;
  readonly #rows: Pick<FileImport, 'waiting'>;
  readonly #intake: DatIntake;
  readonly #reading: Promise<{ sha256: string }>;
  #bytesRead = 0;
  #bytesTaken = 0;
  #isOver = false;
  #isStopped = false;
  /** Wakes the reader or the stager, whichever is waiting. They never wait at the same time. */
  #wake = () => {};

  constructor(
    file: ImportFile,
    readDat: DatReader,
    rows: Omit<FileImport, 'run'>,
    signal: AbortSignal,
  ) {
    this.#file = file;
    this.#signal = signal;
    this.#rows = rows;
    this.#intake = new DatIntake(rows);
    this.#reading = readDat(this.#bytes(), this.#intake).finally(() => {
      this.#isOver = true;
      this.#wake();
    });
    this.#reading.catch(() => {}); // `stageAll` throws this error
  }

  /**
   * Stages all rows of the file by calls of `stage`. Throws errors of reading, of parsing and of
   * `stage`. Throws the signal's reason when aborted. After an error the caller must call `stop`.
   */
  async stageAll(stage: StageRows, onStaged: (soFar: ReadSoFar) => void): Promise<ImportedDat> {
    while (!this.#isOver || this.#rows.waiting > 0) {
      while (!this.#isOver && !this.#hasEnough() && this.#rows.waiting < rowsPerStage) {
        await this.#change();
      }
      if (this.#isOver) await this.#reading; // a refused file throws here, before staging its rows
      const soFar = { bytesRead: this.#bytesRead, rows: this.#intake.rows };
      if (this.#rows.waiting > 0) await stage();
      if (this.#rows.waiting === 0) this.#bytesTaken = this.#bytesRead;
      this.#wake();
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
    return this.#rows.waiting >= maxUnstaged.rows || bytes >= maxUnstaged.bytes;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
