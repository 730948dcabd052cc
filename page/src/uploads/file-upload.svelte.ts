import type { UploadSystem } from '../api/uploads.ts';
import { cleanName } from './clean-name.ts';
import { Speed } from './speed.ts';

/**
 * State of an upload. Some states need an explanation:
 * - `comparing`: the file is being compared with data on the server.
 * - `retrying`: the server is unreachable or busy, so the upload will be tried again.
 * - `taken`: the store has an archive with the file's name, and the user must decide.
 * - `other`: an unfinished upload with the same name contains other bytes.
 * - `checking`: the server is calculating the checksum.
 * - `here`: the store already has the file.
 */
export type UploadState =
  | 'waiting'
  | 'comparing'
  | 'sending'
  | 'paused'
  | 'retrying'
  | 'taken'
  | 'other'
  | 'checking'
  | 'done'
  | 'here'
  | 'skipped'
  | 'failed';

const ended: readonly UploadState[] = ['done', 'here', 'skipped', 'failed'];
const active: readonly UploadState[] = ['comparing', 'sending', 'retrying', 'checking'];

/** The upload of one file. */
export class FileUpload {
  readonly file: File;
  readonly system: UploadSystem;
  /** The name under which the server stores the file. */
  readonly name: string;
  state: UploadState = $state('waiting');
  /** Number of bytes compared or sent so far, depending on the state. */
  moved = $state(0);
  /** Current speed, in bytes per second; 0 while unknown. */
  rate = $state(0);
  /** Why the upload failed, is paused or will be retried; null if there is no reason. */
  failure: unknown = $state.raw(null);
  /**
   * Name of an archive in the store with the same content as the file. Null if no such archive is
   * known.
   */
  twin: string | null = $state(null);
  /** Id of the upload on the server. Null if the server has no upload of this file yet. */
  id: number | null = $state(null);
  replaces = false;
  /**
   * True if a check has found that the store does not have the file. A retry then skips this check.
   */
  isNew = false;
  readonly #speed = new Speed();

  constructor(file: File, system: UploadSystem) {
    this.file = file;
    this.system = system;
    this.name = cleanName(file.name);
  }

  get size(): number {
    return this.file.size;
  }
  /** True if the server stores the file under another name. */
  get isRenamed(): boolean {
    return this.name !== this.file.name.normalize('NFC');
  }
  get hasEnded(): boolean {
    return ended.includes(this.state);
  }
  /** True if the file is being compared, sent, retried or checked now. */
  get isActive(): boolean {
    return active.includes(this.state);
  }
  /** Seconds until the whole file has been sent; null while unknown. */
  get secondsLeft(): number | null {
    return this.state === 'sending' && this.rate > 0 ? (this.size - this.moved) / this.rate : null;
  }

  /**
   * Records the number of bytes compared or sent so far, and updates the rate. The number decreases
   * if a chunk must be sent again.
   */
  moveTo(bytes: number): void {
    const now = performance.now();
    this.#speed.record(bytes - this.moved, now);
    this.moved = bytes;
    this.rate = this.#speed.perSecond(now);
  }

  /** Starts a new phase: sets the state and the number of bytes, and resets the rate to 0. */
  startAt(bytes: number, state: UploadState): void {
    this.state = state;
    this.moved = bytes;
    this.rate = 0;
  }
}
