import { createHash } from 'node:crypto';
import { Limiter } from '../shared/concurrency/limiter.ts';
import type { OneAtATime } from '../shared/concurrency/one-at-a-time.ts';
import { pause } from '../shared/concurrency/pause.ts';
import { archiveExists, CatalogError, damagedUpload, stopping } from '../shared/errors.ts';
import type { OwnerStateOf } from '../shared/processes/owner-state.ts';
import type { UserActor } from '../shared/requests/actor.ts';
import { withoutClient } from '../shared/requests/client-context.ts';
import type { UploadedArchives, UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

/** Maximum number of uploads that are checked concurrently. */
const maxConcurrentChecks = 2;
const tryAgainMs = 1_000;
/**
 * Interval between searches for upload checks whose process has died, in milliseconds. One search
 * at startup would be too early, because a killed process is considered alive for a while
 * (`Presence`).
 */
const searchIntervalMs = 10_000;

interface CheckerParts {
  readonly records: UploadRecords;
  readonly files: UploadFiles;
  readonly archives: UploadedArchives;
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  readonly onFailure: (error: unknown) => void;
  /**
   * Ensures that only one task per upload runs at a time: receiving a chunk, checking, or removing.
   */
  readonly turns: OneAtATime;
  /** Returns the expiry timestamp of an upload that ends now. */
  readonly endedExpiry: () => string;
}

/**
 * Checks uploads in the background after all their bytes arrived. Calculates the checksum of the
 * whole file, then publishes the file if it is an archive. If the process that checks an upload
 * ends or stalls, another process takes over the check.
 */
export class UploadChecker {
  readonly #parts: CheckerParts;
  readonly #places = new Limiter(maxConcurrentChecks);
  readonly #running = new Map<number, { abort: AbortController; ended: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /**
   * Continues upload checks whose process has died. Searches for such checks in the background, now
   * and at intervals.
   */
  start(): void {
    const check = () => {
      this.#checking = this.#takeUp().catch(this.#parts.onFailure);
    };
    check();
    this.#timer = setInterval(check, searchIntervalMs).unref();
  }

  /**
   * Starts the check of an upload. This process must own the check. `sha256` is the SHA-256 of the
   * whole file, or null if unknown.
   */
  check(id: number, sha256: string | null): void {
    if (this.#isClosed || this.#running.has(id)) return;
    const abort = new AbortController();
    // The check outlives the request that starts it, so no client waits for its file changes.
    const work = () => withoutClient(() => this.#checkWithRetries(id, sha256, abort.signal));
    const ended = this.#places
      .run(() => this.#parts.turns.run(String(id), work), { signal: abort.signal })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#parts.onFailure(error);
      })
      .finally(() => void this.#running.delete(id));
    this.#running.set(id, { abort, ended });
  }

  /** Aborts the check of an upload. Must be called before the upload is removed. */
  abortCheck(id: number): void {
    this.#running.get(id)?.abort.abort(stopping());
  }

  /**
   * Aborts all checks in progress. Another process takes them over, or this server resumes them
   * after its next start.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { abort } of this.#running.values()) abort.abort(stopping());
    await Promise.all([this.#checking, ...[...this.#running.values()].map(({ ended }) => ended)]);
  }

  async #takeUp(): Promise<void> {
    const { records, owner, ownerState } = this.#parts;
    for (const { upload, owner: last } of await records.listChecked()) {
      if (last === owner || (await ownerState(last)) !== 'ended') continue;
      if (this.#isClosed) return;
      if (await records.takeOverCheck(upload.id, last, owner)) this.check(upload.id, null);
    }
  }

  /** Checks an upload. Tries again while the database accepts no writes or the disk is full. */
  async #checkWithRetries(id: number, known: string | null, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#check(id, known, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const mayPass =
          error instanceof CatalogError && ['busy', 'storage-full'].includes(error.kind);
        if (!mayPass) throw error;
      }
      await pause(tryAgainMs, signal);
    }
  }

  async #check(id: number, known: string | null, signal: AbortSignal): Promise<void> {
    const { records, files, owner } = this.#parts;
    const upload = await records.find(id);
    if (upload?.state !== 'checking') return;
    const refusal = await this.#tryFinish(upload, known, signal);
    const state = refusal === null ? 'done' : 'failed';
    const expiresAt = this.#parts.endedExpiry();
    const isEnded = await records.finish(id, owner, { state, detail: refusal, expiresAt });
    // If another process took over the check, do not remove the files, because that process needs
    // them. If the upload was removed meanwhile, remove its files too.
    const isOurs = isEnded || (await records.find(id)) === null;
    if (isOurs && (refusal !== null || upload.system !== 'dats')) await files.remove(upload);
  }

  /**
   * Calculates the checksum, and publishes the file if it is an archive. Returns null, or the
   * reason why the upload failed.
   */
  async #tryFinish(
    upload: Upload,
    known: string | null,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      await this.#finish(upload, known, signal);
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CatalogError)) {
        this.#parts.onFailure(error);
        return 'internal error';
      }
      if (error.kind === 'busy' || error.kind === 'storage-full') throw error;
      return error.message;
    }
  }

  async #finish(upload: Upload, known: string | null, signal: AbortSignal): Promise<void> {
    const { records, files, archives } = this.#parts;
    const { system, filename, size, replaces } = upload;
    if (!(await files.has(upload))) return this.#expectPublished(upload, signal);
    const sha256 = upload.sha256 ?? known ?? (await this.#readSha256(upload, signal));
    // Record the checksum before the file is moved. Otherwise the file could not be recognised at
    // its destination after a crash.
    if (upload.sha256 === null) await records.recordSha256(upload.id, sha256);
    try {
      const staged = await files.stage(upload, { size, sha256 });
      if (system === 'dats') return; // the file stays where it is, now in one piece
      await archives.save(system, filename, staged, publisherOf(upload), { replaces });
    } catch (error) {
      const isRefused = error instanceof CatalogError && error.kind === 'conflict';
      if (!isRefused || (await files.has(upload))) throw error;
      // If this process was considered dead, another process may have published the file.
      await this.#expectPublished({ ...upload, sha256 }, signal);
    }
  }

  /**
   * Handles an upload whose bytes are missing. They may have been published without a record of it,
   * after a crash or because the database was busy. Throws unless the archive is published.
   */
  async #expectPublished(upload: Upload, signal: AbortSignal): Promise<void> {
    const { system, filename: name, size, sha256 } = upload;
    if (system === 'dats' || sha256 === null) throw damagedUpload();
    if (await this.#parts.archives.hasVersion(system, { name, size, sha256 }, signal)) return;
    throw (await this.#parts.archives.has(system, name)) ? archiveExists() : damagedUpload();
  }

  async #readSha256(upload: Upload, signal: AbortSignal): Promise<string> {
    const file = await this.#parts.files.open(upload);
    if (file?.size !== upload.size) {
      await file?.close();
      throw damagedUpload();
    }
    const hash = createHash('sha256');
    for await (const piece of file.stream()) {
      signal.throwIfAborted();
      hash.update(piece);
    }
    return hash.digest('hex');
  }
}

/**
 * Returns the actor that publishes an archive: the upload's user, who must still be an editor. The
 * user's token may be invalid by now, because users may log out while the checksum of a large file
 * is being calculated.
 */
function publisherOf({ actor }: Upload): UserActor {
  return { ...actor, right: { role: 'editor', tokenId: null } };
}
