import type { Clock } from '../shared/clock.ts';
import { CatalogError } from '../shared/errors.ts';
import type { BackupReport, BackupWatch } from './backup-report.ts';
import type { Backups } from './backups.ts';
import type { BackupFolder } from './ports.ts';

/** How often the clock is looked at. */
const lookMs = 10_000;
/** After a backup that failed, or could not be begun, at most so long until the next try. */
const againMs = 3_600_000;

/** Backups that a server makes by itself: of database and covers, into one folder, of which the newest stay. */
export class ScheduledBackups {
  readonly #backups: Pick<Backups, 'write'>;
  readonly #folder: BackupFolder;
  readonly #everyMs: number;
  readonly #keep: number;
  readonly #clock: Clock;
  readonly #start: () => Promise<unknown>;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #triedAt: number | null = null;

  constructor(parts: {
    backups: Pick<Backups, 'write'>;
    folder: BackupFolder;
    everyMs: number;
    /** How many stay. */
    keep: number;
    clock: Clock;
    /** Starts a job that will `write`. */
    start: () => Promise<unknown>;
    /** Told why a backup could not be begun. */
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

  /** Throws refused() with a line when the folder cannot take backups. */
  check(): Promise<void> {
    return this.#folder.check();
  }

  /** Writes one and removes those of this catalogue that are too many. Throws as `Backups.write`. */
  async write(watch: BackupWatch): Promise<BackupReport> {
    const file = this.#folder.fileAt(this.#clock.now());
    const report = await this.#backups.write(file, { ...watch, store: false });
    await this.#folder.keepNewest(this.#keep, this.#clock.now());
    return report;
  }

  /** From now on backups start by themselves, until `close`; at once when the newest is too old. */
  begin(): void {
    this.#timer = setInterval(() => this.startDue(), lookMs);
    this.#timer.unref();
    void this.startDue();
  }

  /** Starts one when it is due; never rejects. */
  startDue(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look()).catch(this.#onFailure);
    return this.#looking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const now = this.#clock.now();
    const isSince = (at: number | null, ms: number) => at === null || Math.abs(now - at) >= ms;
    if (!isSince(this.#triedAt, Math.min(this.#everyMs, againMs))) return;
    if (!isSince(await this.#folder.newest(now), this.#everyMs)) return;
    this.#triedAt = now;
    await this.#start().catch((error: unknown) => {
      // Another server, or somebody, makes one: when it is there, none is due.
      if (!(error instanceof CatalogError && error.kind === 'conflict')) throw error;
      this.#triedAt = null;
    });
  }
}
