import { type ImportOptions, importOptions, listDats, startImport } from '../api/imports.ts';
import { type Job, type JobDetails, listNewest, readJob } from '../api/jobs.ts';
import { Refusal } from '../api/request.ts';
import { removeUpload } from '../api/uploads.ts';
import { isUnended } from '../jobs/is-unended.ts';
import { Pace } from '../jobs/pace.ts';

/**
 * The state of imports for one user: the user's newest pending preview, and one import (`current`).
 * The state is read from the server, so a user may leave the screen and come back.
 */
export class ImportState {
  /** True if the state of imports has been read from the server. */
  isKnown = $state(false);
  failure: unknown = $state.raw(null);
  preview: JobDetails | null = $state.raw(null);
  /**
   * The running or queued import of any user. If there is none, the user's own import that ended
   * since the user opened this screen.
   */
  current: JobDetails | null = $state.raw(null);
  readonly pace = new Pace();
  readonly #onImported: () => void;
  #abort = new AbortController();
  /**
   * Id of the import that was started, or was seen running, since the screen was opened. The id is
   * 0 if there is no such import.
   */
  #followed = 0;

  /**
   * `onImported` is called when the followed import ends. An import is followed if it was started,
   * or was seen running, since the screen was opened.
   */
  constructor(onImported: () => void) {
    this.#onImported = onImported;
  }

  get isBusy(): boolean {
    return [this.preview, this.current].some((job) => job !== null && isUnended(job));
  }

  /**
   * Reads the state of imports from the server. Resolves with true if a job is running or queued.
   * Never rejects.
   */
  async read(username: string): Promise<boolean> {
    const { signal } = this.#abort;
    try {
      const imports = await listNewest('import', signal);
      const previews = await listNewest('import-preview', signal);
      await this.#takeImport(imports, username, signal);
      const own = imports.find(({ started_by }) => started_by === username);
      const preview = previews.find(({ started_by }) => started_by === username);
      this.preview = await this.#waiting(preview, own, signal);
      this.failure = null;
      this.isKnown = true;
    } catch (error) {
      if (signal.aborted) return false;
      this.failure = error;
      if (error instanceof Refusal && [401, 403].includes(error.status)) this.isKnown = false;
    }
    return this.isBusy;
  }

  /** Starts a preview of these uploads, together with the uploads of the pending preview. */
  async startPreview(options: ImportOptions): Promise<void> {
    const before = this.preview ? importOptions(this.preview).uploads : [];
    const uploads = [...new Set([...before, ...options.uploads])];
    await startImport('import-preview', { ...options, uploads });
  }

  /** Starts an import of the preview's uploads, with the preview's options. */
  async accept(): Promise<void> {
    if (this.preview === null) return;
    this.#followed = await startImport('import', importOptions(this.preview));
  }

  /** Starts an unfinished import again, with the same options. */
  async startAgain(job: JobDetails): Promise<void> {
    this.#followed = await startImport('import', importOptions(job));
  }

  /** Discards the preview and removes its uploads from the server. */
  async discard(): Promise<void> {
    if (this.preview === null) return;
    for (const id of importOptions(this.preview).uploads)
      await removeUpload(id).catch(ignoreNotFound);
    this.preview = null;
  }

  /** Hides the import that has ended. */
  dismiss(): void {
    this.#followed = 0;
    this.current = null;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #takeImport(imports: readonly Job[], username: string, signal: AbortSignal): Promise<void> {
    const running = imports.find(isUnended);
    const own = imports.find(({ started_by }) => started_by === username);
    const shown = running ?? (own !== undefined && own.id === this.#followed ? own : undefined);
    if (shown === undefined) {
      this.current = null;
      return;
    }
    this.#followed = shown.id;
    this.pace.record(shown, performance.now());
    if (!isUnended(shown) && this.current?.state === shown.state) return;
    const hadEnded = this.current !== null && !isUnended(this.current);
    this.current = await readJob(shown.id, signal);
    if (!isUnended(this.current) && !hadEnded) this.#onImported();
  }

  /**
   * Returns the user's newest preview if the preview is still pending, otherwise null. A preview is
   * pending if the user has started no later import, and if all its uploads are still stored.
   */
  async #waiting(
    preview: Job | undefined,
    own: Job | undefined,
    signal: AbortSignal,
  ): Promise<JobDetails | null> {
    if (preview === undefined || (own?.id ?? 0) > preview.id) return null;
    if (preview.state === 'running') this.pace.record(preview, performance.now());
    const known = this.preview;
    if (known?.id === preview.id && !isUnended(known)) return known;
    const whole = await readJob(preview.id, signal);
    if (isUnended(whole)) return whole;
    const there = await listDats(signal);
    return importOptions(whole).uploads.every((id) => there.has(id)) ? whole : null;
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Refusal && error.status === 404)) throw error;
}
