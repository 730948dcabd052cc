import type { Clock } from '../shared/clock.ts';
import { CatalogError } from '../shared/errors.ts';
import type { BackupReport, BackupWatch } from './backup-report.ts';
import type { Backups } from './backups.ts';
import type { BackupFolder } from './ports.ts';

/** How often to check for a due backup, in milliseconds. */
const checkIntervalMs = 10_000;
/**
 * Minimum time between two attempts after a backup failed or could not be started, in milliseconds.
 * If the interval between backups is shorter, that interval applies instead.
 */
const againMs = 3_600_000;

/**
 * Makes automatic backups of a server. Each contains the database and the covers. The folder
 * retains only the newest backups.
 */
export class ScheduledBackups {
  readonly #backups: Pick<Backups, 'write'>;
  readonly #folder: BackupFolder;
  readonly #everyMs: number;
  readonly #keep: number;
  readonly #clock: Clock;
  readonly #start: () => Promise<unknown>;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #triedAt: number | null = null;

  constructor(parts: {
    backups: Pick<Backups, 'write'>;
    folder: BackupFolder;
    everyMs: number;
    /** Number of backups to retain in the folder. */
    keep: number;
    clock: Clock;
    /** Starts a job that calls `write`. */
    start: () => Promise<unknown>;
    /** Called with the reason when a backup could not be started. */
    onFailure: (error: unknown) => void;
  }) {
    this.#backups = parts.backups;
    this.#folder = parts.folder;
    this.#everyMs = parts.everyMs;
    this.#keep = parts.keep;
    this.#clock = parts.clock;
    this.#start = parts.start;
    this.#onFailure = parts.onFailure;
  }

  /** Throws usageError() with a one-line message when the folder is not writable. */
  check(): Promise<void> {
    return this.#folder.check();
  }

  /**
   * Writes a backup, then removes this catalogue's oldest backups beyond `keep`. Throws the errors
   * of `Backups.write`.
   */
  async write(watch: BackupWatch): Promise<BackupReport> {
    const file = this.#folder.fileAt(this.#clock.now());
    const report = await this.#backups.write(file, { ...watch, store: false });
    await this.#folder.keepNewest(this.#keep, this.#clock.now());
    return report;
  }

  /**
   * Starts a backup whenever one is due, until `close` is called. Checks for the first time at
   * once.
   */
  begin(): void {
    this.#timer = setInterval(() => this.startDue(), checkIntervalMs);
    this.#timer.unref();
    void this.startDue();
  }

  /** Starts a backup if one is due; never rejects. */
  startDue(): Promise<void> {
    this.#checking = this.#checking.then(() => this.#startIfDue()).catch(this.#onFailure);
    return this.#checking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking;
  }

  async #startIfDue(): Promise<void> {
    const now = this.#clock.now();
    const isSince = (at: number | null, ms: number) => at === null || Math.abs(now - at) >= ms;
    if (!isSince(this.#triedAt, Math.min(this.#everyMs, againMs))) return;
    if (!isSince(await this.#folder.newest(now), this.#everyMs)) return;
    this.#triedAt = now;
    await this.#start().catch((error: unknown) => {
      // Another server or a user is already making a backup. Check again soon: once that backup is
      // complete, no backup is due.
      if (!(error instanceof CatalogError && error.kind === 'conflict')) throw error;
      this.#triedAt = null;
    });
  }
}
