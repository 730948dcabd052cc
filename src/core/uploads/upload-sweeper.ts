import type { Clock } from '../shared/clock.ts';
import type { UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

const everyMs = 60 * 60 * 1000;

interface SweeperParts {
  readonly records: UploadRecords;
  readonly files: UploadFiles;
  readonly clock: Clock;
  /** Removes an upload with its record and its bytes. */
  readonly drop: (upload: Upload) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Removes expired uploads in the background, and folders that belong to no upload. Such a folder
 * remains if the process ends, or the disk fails, while an upload is removed.
 */
export class UploadSweeper {
  readonly #parts: SweeperParts;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#sweep();
    this.#timer = setInterval(() => this.#sweep(), everyMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  /**
   * Starts a sweep, after the previous one. An error is reported. The uploads and folders that
   * remain after an error are removed by the next sweep.
   */
  #sweep(): void {
    this.#sweeping = this.#sweeping.then(async () => {
      await this.#dropOrphans().catch(this.#parts.onFailure);
      await this.#dropExpired().catch(this.#parts.onFailure);
    });
  }

  /**
   * Removes folders that belong to no upload. Lists the folders before the records: the record of a
   * new upload is created before its folder.
   */
  async #dropOrphans(): Promise<void> {
    const { files, records } = this.#parts;
    const there = await files.listFolders();
    const known = await records.listFolders();
    for (const folder of there) if (!known.has(folder)) await files.remove({ folder });
  }

  async #dropExpired(): Promise<void> {
    const { records, clock, drop } = this.#parts;
    for (const upload of await records.listExpired(clock.timestamp())) await drop(upload);
  }
}
