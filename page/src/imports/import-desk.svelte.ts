import { type ImportOptions, importOptions, listDats, startImport } from '../api/imports.ts';
import { type Job, listNewest, readJob, type WholeJob } from '../api/jobs.ts';
import { Refusal } from '../api/request.ts';
import { removeUpload } from '../api/uploads.ts';
import { Pace } from '../jobs/pace.ts';

/**
 * What lies on the desk of somebody who imports: the newest preview of theirs that was neither accepted nor discarded, and
 * the import that runs or that they saw end. It is what the server knows, so that one may leave and come back.
 */
export class ImportDesk {
  /** False until the server was asked. */
  isKnown = $state(false);
  failure: unknown = $state.raw(null);
  preview: WholeJob | null = $state.raw(null);
  /** Whosever it is while it runs; one's own afterwards. */
  current: WholeJob | null = $state.raw(null);
  readonly pace = new Pace();
  readonly #onImported: () => void;
  #abort = new AbortController();
  /** Of the import that was seen, or started, on this visit. */
  #followed = 0;

  /** `onImported` hears when an import that was followed has ended. */
  constructor(onImported: () => void) {
    this.#onImported = onImported;
  }

  get isBusy(): boolean {
    return [this.preview, this.current].some((job) => job?.state === 'running');
  }

  /** Asks the server; says whether something runs. Never throws. */
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

  /** Previews uploads, with those of the preview that waits. */
  async startPreview(options: ImportOptions): Promise<void> {
    const before = this.preview ? importOptions(this.preview).uploads : [];
    const uploads = [...new Set([...before, ...options.uploads])];
    await startImport('import-preview', { ...options, uploads });
  }

  /** Imports what was previewed. */
  async accept(): Promise<void> {
    if (this.preview === null) return;
    this.#followed = await startImport('import', importOptions(this.preview));
  }

  /** Imports again what did not come to its end. */
  async startAgain(job: WholeJob): Promise<void> {
    this.#followed = await startImport('import', importOptions(job));
  }

  /** Drops what was previewed. */
  async discard(): Promise<void> {
    if (this.preview === null) return;
    for (const id of importOptions(this.preview).uploads) await removeUpload(id).catch(ifGone);
    this.preview = null;
  }

  /** Takes the report of an import that ended away. */
  dismiss(): void {
    this.#followed = 0;
    this.current = null;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #takeImport(imports: readonly Job[], username: string, signal: AbortSignal): Promise<void> {
    const running = imports.find(({ state }) => state === 'running');
    const own = imports.find(({ started_by }) => started_by === username);
    const shown = running ?? (own !== undefined && own.id === this.#followed ? own : undefined);
    if (shown === undefined) {
      this.current = null;
      return;
    }
    this.#followed = shown.id;
    this.pace.note(shown, performance.now());
    if (shown.state !== 'running' && this.current?.state === shown.state) return;
    const hadEnded = this.current !== null && this.current.state !== 'running';
    this.current = await readJob(shown.id, signal);
    if (this.current.state !== 'running' && !hadEnded) this.#onImported();
  }

  /** A preview that no later import has taken, and whose uploads are all there. */
  async #waiting(
    preview: Job | undefined,
    own: Job | undefined,
    signal: AbortSignal,
  ): Promise<WholeJob | null> {
    if (preview === undefined || (own?.id ?? 0) > preview.id) return null;
    if (preview.state === 'running') this.pace.note(preview, performance.now());
    const known = this.preview;
    if (known?.id === preview.id && known.state !== 'running') return known;
    const whole = await readJob(preview.id, signal);
    if (whole.state === 'running') return whole;
    const there = await listDats(signal);
    return importOptions(whole).uploads.every((id) => there.has(id)) ? whole : null;
  }
}

function ifGone(error: unknown): void {
  if (!(error instanceof Refusal && error.status === 404)) throw error;
}
