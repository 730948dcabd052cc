import { Refusal, Unreachable } from '../api/request.ts';
import type { UploadSystem } from '../api/uploads.ts';
import { FileUpload } from './file-upload.svelte.ts';
import { sendFile, type UploadDependencies } from './send-file.ts';

/** Maximum number of files that are uploaded at the same time. */
const maxConcurrent = 3;
const waits = [1, 2, 4, 8, 16, 30] as const;

/** The user's decision about a file whose name is already used in the store. */
export type NameConflictChoice = 'replace' | 'skip';

/**
 * The reason with which the queue aborts an upload that the user paused or cancelled. This error is
 * not a failure.
 */
class UploadAborted extends Error {}

/** The uploads of this tab, in the order in which the user chose the files. */
export class UploadQueue {
  all: readonly FileUpload[] = $state.raw([]);
  readonly #parts: UploadDependencies;
  readonly #running = new Map<FileUpload, AbortController>();
  /**
   * The user's decision for all taken names. Null if the user decides about each name separately.
   */
  #choice: NameConflictChoice | null = null;

  constructor(parts: UploadDependencies) {
    this.#parts = parts;
  }

  /** The uploads with taken names, about which the user must decide. */
  get taken(): readonly FileUpload[] {
    return this.all.filter(({ state }) => state === 'taken');
  }
  /** True if leaving the page would interrupt an upload. */
  get isUnfinished(): boolean {
    return this.all.some(({ hasEnded }) => !hasEnded);
  }
  /** Speed of all uploads together, in bytes per second. */
  get rate(): number {
    return this.all.reduce((sum, each) => sum + (each.state === 'sending' ? each.rate : 0), 0);
  }
  /** Seconds until all sending and waiting files have been sent; null while unknown. */
  get secondsLeft(): number | null {
    const going = this.all.filter(({ state }) => state === 'sending' || state === 'waiting');
    const bytes = going.reduce((sum, { size, moved }) => sum + size - moved, 0);
    return this.rate > 0 ? bytes / this.rate : null;
  }

  /**
   * Adds files to the queue and returns the new uploads. The new uploads replace ended uploads of
   * the same name. Skips files with an upload that has not ended. A different file with the same
   * name is added, but waits until the earlier upload has ended.
   */
  add(files: readonly File[], system: UploadSystem): readonly FileUpload[] {
    if (!this.isUnfinished) this.#choice = null;
    const chosen = files.map((file) => new FileUpload(file, system));
    const isAgain = (known: FileUpload) => chosen.some((each) => hasName(each, known));
    const isOver = ({ hasEnded, state }: FileUpload) => hasEnded || state === 'other';
    const kept = this.all.filter((known) => !isOver(known) || !isAgain(known));
    const added: FileUpload[] = [];
    for (const each of chosen) {
      if (![...kept, ...added].some((known) => isSameFile(known, each))) added.push(each);
    }
    this.all = [...kept, ...added];
    this.#go();
    return added;
  }

  pause(upload: FileUpload): void {
    this.#abort(upload);
    if (!upload.hasEnded) upload.state = 'paused';
    this.#go();
  }

  /** Resumes an upload that is paused or has failed. */
  resume(upload: FileUpload): void {
    upload.failure = null;
    upload.state = 'waiting';
    this.#go();
  }

  /**
   * Resumes the uploads that were paused when the session ended. Call `resumeAfterSignIn` when a
   * user has signed in.
   */
  resumeAfterSignIn(): void {
    for (const each of this.all) if (isSignedOut(each.failure)) this.resume(each);
  }

  /**
   * Cancels an upload and deletes its data on the server. If the upload is already done, the
   * archive stays in the store.
   */
  async cancel(upload: FileUpload): Promise<void> {
    this.#abort(upload);
    this.all = this.all.filter((each) => each !== upload);
    this.#go();
    const { id } = upload;
    if (id !== null && upload.state !== 'done') {
      // Ignore a failed request: the server deletes the unfinished upload after a few days.
      await this.#parts.api.removeUpload(id).catch(() => {});
    }
  }

  /** Removes the ended uploads from the list. */
  clear(): void {
    this.all = this.all.filter(({ hasEnded }) => !hasEnded);
  }

  /**
   * Applies the user's decision about the taken name of an upload. If `isForAll` is true, applies
   * the decision to all uploads with taken names, now or later.
   */
  decide(upload: FileUpload, choice: NameConflictChoice, isForAll: boolean): void {
    if (isForAll) this.#choice = choice;
    for (const each of isForAll ? this.taken : [upload]) this.#apply(each, choice);
    this.#go();
  }

  /**
   * Deletes unfinished uploads of the same name on the server. Then starts this upload from the
   * beginning.
   */
  async restart(upload: FileUpload): Promise<void> {
    const { api } = this.#parts;
    upload.state = 'comparing';
    try {
      for (const left of await api.listUnfinished(new AbortController().signal)) {
        if (left.filename === upload.name && left.system === upload.system) {
          await api.removeUpload(left.id);
        }
      }
      this.resume(upload);
    } catch (error) {
      upload.failure = error;
      upload.state = 'failed';
    }
  }

  #apply(upload: FileUpload, choice: NameConflictChoice): void {
    upload.replaces = choice === 'replace';
    upload.state = choice === 'replace' ? 'waiting' : 'skipped';
  }

  #abort(upload: FileUpload): void {
    this.#running.get(upload)?.abort(new UploadAborted());
    this.#running.delete(upload);
  }

  #go(): void {
    for (const upload of this.all) {
      if (this.#running.size >= maxConcurrent) return;
      const mayRun = upload.state === 'waiting' && !this.#running.has(upload);
      if (mayRun && !this.#mustWait(upload)) void this.#run(upload);
    }
  }

  /**
   * Returns true if an upload must wait because another upload has the same name. The server allows
   * only one upload per name, so files of the same name are sent one after the other.
   */
  #mustWait(upload: FileUpload): boolean {
    const place = this.all.indexOf(upload);
    return this.all.some((each, at) => {
      if (each === upload || !hasName(each, upload)) return false;
      return this.#running.has(each) || (at < place && !each.hasEnded);
    });
  }

  async #run(upload: FileUpload): Promise<void> {
    const abort = new AbortController();
    this.#running.set(upload, abort);
    upload.startAt(upload.moved, 'comparing');
    try {
      await this.#send(upload, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) {
        upload.failure = error;
        upload.state = isSignedOut(error) ? 'paused' : 'failed';
      }
    }
    if (this.#running.get(upload) === abort) this.#running.delete(upload);
    if (upload.state === 'taken' && this.#choice !== null) this.#apply(upload, this.#choice);
    this.#go();
  }

  /**
   * Sends a file. While the server is unreachable or busy, tries again after an increasing delay.
   */
  async #send(upload: FileUpload, signal: AbortSignal): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const before = upload.moved;
      try {
        await sendFile(upload, this.#parts, signal);
        upload.failure = null;
        return;
      } catch (error) {
        if (signal.aborted || !mayPass(error)) throw error;
        if (upload.moved > before) tries = 0;
        upload.failure = error;
        upload.startAt(upload.moved, 'retrying');
      }
      await this.#parts.pause((waits[Math.min(tries, 5)] ?? 30) * 1000, signal);
    }
  }
}

const hasName = (one: FileUpload, other: FileUpload) =>
  one.name === other.name && one.system === other.system;

const isSameFile = (one: FileUpload, other: FileUpload) =>
  hasName(one, other) &&
  one.size === other.size &&
  one.file.lastModified === other.file.lastModified &&
  one.file.webkitRelativePath === other.file.webkitRelativePath;

const isSignedOut = (failure: unknown) => failure instanceof Refusal && failure.status === 401;

function mayPass(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof Refusal)) return false;
  return error.status === 503 || error.message === 'too many uploads';
}
