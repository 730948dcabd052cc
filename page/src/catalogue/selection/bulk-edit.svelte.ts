import { isSignedOut } from '../../session/is-signed-out.ts';

interface SelectedRelease {
  readonly id: number;
  readonly name: string;
}

/**
 * Sets one field of many releases, three releases at a time. Records each release that could not be
 * changed, with the reason. Stops if the session has ended.
 */
export class BulkEdit {
  done = $state(0);
  failures: readonly (SelectedRelease & { readonly reason: unknown })[] = $state.raw([]);
  /** The 401 refusal that stopped the run. Null if the session did not end during the run. */
  signedOut: unknown = $state.raw(null);
  isRunning = $state(false);
  isStopped = false;
  readonly #edit: (id: number, fields: Readonly<Record<string, string>>) => Promise<void>;

  constructor(edit: (id: number, fields: Readonly<Record<string, string>>) => Promise<void>) {
    this.#edit = edit;
  }

  /**
   * Sets `field` of all releases to `value`. Resolves with the ids of the changed releases. Never
   * rejects.
   */
  async run(releases: readonly SelectedRelease[], field: string, value: string): Promise<number[]> {
    const queue = [...releases];
    const changed: number[] = [];
    this.done = 0;
    this.failures = [];
    this.signedOut = null;
    this.isRunning = true;
    this.isStopped = false;
    const work = async () => {
      for (let next = queue.shift(); next && !this.isStopped; next = queue.shift()) {
        try {
          await this.#edit(next.id, { [field]: value });
          changed.push(next.id);
        } catch (reason) {
          if (isSignedOut(reason)) {
            this.signedOut = reason;
            this.stop();
            return;
          }
          this.failures = [...this.failures, { ...next, reason }];
        }
        this.done += 1;
      }
    };
    await Promise.all([work(), work(), work()]);
    this.isRunning = false;
    return changed;
  }

  /** Stops the run: no further changes are started, but changes in progress are completed. */
  stop(): void {
    this.isStopped = true;
  }
}
