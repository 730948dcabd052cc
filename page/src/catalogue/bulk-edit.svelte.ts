import { isSignedOut } from '../session/is-signed-out.ts';

interface Picked {
  readonly id: number;
  readonly name: string;
}

/** One field set for many releases, a few at a time; what fails is kept with its reason. It stops where the session ended. */
export class BulkEdit {
  done = $state(0);
  failures: readonly (Picked & { readonly reason: unknown })[] = $state.raw([]);
  /** Why nothing more was begun: nobody is signed in. Null while that is not so. */
  signedOut: unknown = $state.raw(null);
  isRunning = $state(false);
  isStopped = false;
  readonly #edit: (id: number, fields: Readonly<Record<string, string>>) => Promise<void>;

  constructor(edit: (id: number, fields: Readonly<Record<string, string>>) => Promise<void>) {
    this.#edit = edit;
  }

  /** Resolves with the ids that were changed. Never throws. */
  async run(releases: readonly Picked[], field: string, value: string): Promise<number[]> {
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

  /** What is under way is finished, nothing more is begun. */
  stop(): void {
    this.isStopped = true;
  }
}
