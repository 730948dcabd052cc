import type { UploadSystem } from '../api/uploads.ts';
import { cleanName } from './clean-name.ts';
import { Speed } from './speed.ts';

/**
 * `comparing`: its bytes are compared with what the server has; `retrying`: the server is away; `taken`: its name is, and
 * somebody has to say what to do; `other`: an unfinished upload of its name holds other bytes; `here`: the store has it.
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

/** One file on its way to the server. */
export class FileUpload {
  readonly file: File;
  readonly system: UploadSystem;
  /** What the server calls it. */
  readonly name: string;
  state: UploadState = $state('waiting');
  /** Bytes that were compared, or that have left. */
  moved = $state(0);
  /** Bytes per second. */
  rate = $state(0);
  /** Why it failed, or waits. */
  failure: unknown = $state.raw(null);
  /** What the store calls it already. */
  twin: string | null = $state(null);
  /** The server's; null before it has begun. */
  id: number | null = $state(null);
  replaces = false;
  /** Whether it is known that the store does not have it. */
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
  /** Whether something happens to it now. */
  get isActive(): boolean {
    return active.includes(this.state);
  }
  /** Seconds; null while that is not known. */
  get secondsLeft(): number | null {
    return this.state === 'sending' && this.rate > 0 ? (this.size - this.moved) / this.rate : null;
  }

  /** So many bytes have left now; what goes back was lost on the way. */
  moveTo(bytes: number): void {
    const now = performance.now();
    this.#speed.note(bytes - this.moved, now);
    this.moved = bytes;
    this.rate = this.#speed.perSecond(now);
  }

  /** The same without a speed, where something else begins. */
  startAt(bytes: number, state: UploadState): void {
    this.state = state;
    this.moved = bytes;
    this.rate = 0;
  }
}
