import { createHash } from 'node:crypto';
import type { UserActor } from '../shared/actor.ts';
import { archiveExists, CatalogError, damagedUpload, stopping } from '../shared/errors.ts';
import { Limiter } from '../shared/limiter.ts';
import type { OneAtATime } from '../shared/one-at-a-time.ts';
import type { OwnerStateOf } from '../shared/owner-state.ts';
import { pause } from '../shared/pause.ts';
import type { UploadedArchives, UploadFiles, UploadRecords } from './ports.ts';
import type { Upload } from './upload.ts';

/** Files that are read for their checksum at a time. */
const checksAtOnce = 2;
const tryAgainMs = 1_000;
/** A process that was killed counts as alive for a while (`Presence`): the start of the next one comes too early. */
const lookEveryMs = 10_000;

interface CheckerParts {
  readonly records: UploadRecords;
  readonly files: UploadFiles;
  readonly archives: UploadedArchives;
  readonly owner: string;
  readonly ownerState: OwnerStateOf;
  readonly onFailure: (error: unknown) => void;
  /** Where the chunks and the removal of an upload take their turns, too. */
  readonly turns: OneAtATime;
  /** When an upload goes that ends now. */
  readonly endedExpiry: () => string;
}

/**
 * What follows, behind, once all bytes of an upload are there: the checksum of the whole, then an archive gets its name. An
 * upload whose process ended amid it, or stood still for long, is taken up by another one.
 */
export class UploadChecker {
  readonly #parts: CheckerParts;
  readonly #places = new Limiter(checksAtOnce);
  readonly #running = new Map<number, { abort: AbortController; ended: Promise<void> }>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
  }

  /** Takes up, behind, what processes left that have ended: now, and again and again. */
  start(): void {
    const look = () => {
      this.#looking = this.#takeUp().catch(this.#parts.onFailure);
    };
    look();
    this.#timer = setInterval(look, lookEveryMs).unref();
  }

  /** Begins the check of an upload that this process owns; `sha256` is that of the whole where it is known. */
  check(id: number, sha256: string | null): void {
    if (this.#isClosed || this.#running.has(id)) return;
    const abort = new AbortController();
    const work = () => this.#checkUntilSettled(id, sha256, abort.signal);
    const ended = this.#places
      .run(() => this.#parts.turns.run(String(id), work), { signal: abort.signal })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#parts.onFailure(error);
      })
      .finally(() => void this.#running.delete(id));
    this.#running.set(id, { abort, ended });
  }

  /** Ends a check before its upload is removed. */
  giveUp(id: number): void {
    this.#running.get(id)?.abort.abort(stopping());
  }

  /** Breaks off what is running; another process, or the next start, takes it up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { abort } of this.#running.values()) abort.abort(stopping());
    await Promise.all([this.#looking, ...[...this.#running.values()].map(({ ended }) => ended)]);
  }

  async #takeUp(): Promise<void> {
    const { records, owner, ownerState } = this.#parts;
    for (const { upload, owner: last } of await records.listChecked()) {
      if (last === owner || (await ownerState(last)) !== 'ended') continue;
      if (this.#isClosed) return;
      if (await records.takeCheck(upload.id, last, owner)) this.check(upload.id, null);
    }
  }

  /** Again while the database takes no writes or the disk has no space. */
  async #checkUntilSettled(id: number, known: string | null, signal: AbortSignal): Promise<void> {
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
    const refusal = await this.#settle(upload, known, signal);
    const state = refusal === null ? 'done' : 'failed';
    const expiresAt = this.#parts.endedExpiry();
    const isEnded = await records.finish(id, owner, { state, detail: refusal, expiresAt });
    // Of one that another process took over the files are that one's; of one that was removed nobody's.
    const isOurs = isEnded || (await records.find(id)) === null;
    if (isOurs && (refusal !== null || upload.system !== 'dats')) await files.remove(upload);
  }

  /** Null, or why it failed. */
  async #settle(upload: Upload, known: string | null, signal: AbortSignal): Promise<string | null> {
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
    // Before the file leaves its place, so that it is known again wherever it is found.
    if (upload.sha256 === null) await records.noteSha256(upload.id, sha256);
    try {
      const staged = await files.stage(upload, { size, sha256 });
      if (system === 'dats') return; // it stays, in one piece
      await archives.save(system, filename, staged, publisherOf(upload), { replaces });
    } catch (error) {
      const isRefused = error instanceof CatalogError && error.kind === 'conflict';
      if (!isRefused || (await files.has(upload))) throw error;
      // Another process, which was taken for ended, may have gone on and given it its name meanwhile.
      await this.#expectPublished({ ...upload, sha256 }, signal);
    }
  }

  /** A crash, or a busy database, between its new name and the note of it. */
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
 * Who publishes an archive whose last chunk was taken: its user, who must still be an editor by then. The token does not
 * count any more: people log out while the checksum of a large file is calculated.
 */
function publisherOf({ actor }: Upload): UserActor {
  return { ...actor, right: { role: 'editor', tokenId: null } };
}
