import type { UploadSystem } from '../api/uploads.ts';
import { cleanName } from './clean-name.ts';
import { Speed } from './speed.ts';

/**
 * `comparing`: the file is compared with data on the server. `retrying`: the server is unreachable
 * or busy. `taken`: the name is taken, and the user must decide. `other`: an unfinished upload of
 * that name holds other bytes. `here`: the store already has the file.
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
  /** The name that the server gives the file. */
  readonly name: string;
  state: UploadState = $state('waiting');
  /** Bytes compared or sent so far. */
  moved = $state(0);
  /** Bytes per second. */
  rate = $state(0);
  /** Why it failed or is waiting. */
  failure: unknown = $state.raw(null);
  /** Name of the archive in the store that has the same content. */
  twin: string | null = $state(null);
  /** Id of the upload on the server; null before it has started. */
  id: number | null = $state(null);
  replaces = false;
  /** Whether the store is known not to have the file. */
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
  get hasEnded(): boolean {
    return ended.includes(this.state);
  }
  /** Whether the file is being processed now. */
  get isActive(): boolean {
    return active.includes(this.state);
  }
  /** Seconds until it has been sent; null while not known. */
  get secondsLeft(): number | null {
    return this.state === 'sending' && this.rate > 0 ? (this.size - this.moved) / this.rate : null;
  }

  /**
   * Records the number of bytes sent so far, and updates the rate. The number decreases if bytes
   * were lost on the way.
   */
  moveTo(bytes: number): void {
    const now = performance.now();
    this.#speed.note(bytes - this.moved, now);
    this.moved = bytes;
    this.rate = this.#speed.perSecond(now);
  }

  /** Sets the bytes and the state for a new phase, without measuring a rate. */
  startAt(bytes: number, state: UploadState): void {
    this.state = state;
    this.moved = bytes;
    this.rate = 0;
  }
}
