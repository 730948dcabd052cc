import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';

/**
 * All opened parts, in order, with the way each is closed. Closing works the same after a failed
 * start as at the end.
 */
export class OpenedParts {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Returns the part. `close` is called once for it, before the parts opened earlier are closed.
   */
  opened<T>(part: T, close: (part: T) => unknown): T {
    this.#closers.push(() => close(part));
    return part;
  }

  /**
   * Closes all parts, the last one first, even if closing another one fails. Then throws the first
   * failure.
   */
  close(): Promise<void> {
    this.#closed ??= this.#closeAll();
    return this.#closed;
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/**
 * Returns the error of a failed start: refused() with the path that the system refused and advice,
 * else the error itself.
 */
export function startFailure(error: unknown): unknown {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!isSystemError(error) || path === undefined) return error;
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return refused(`${path} must be a folder, and a file is in the way: move it away`, error);
  }
  const advice = advices[code] ?? 'mend that, or name another folder with --data';
  return refused(`${path} cannot be used: ${systemReason(error)}; ${advice}`, error);
}

const mayNot = 'let the user that runs Catalog read and write there';
const advices: Readonly<Record<string, string>> = {
  EACCES: mayNot,
  EPERM: mayNot,
  EISDIR: 'a file belongs there: move the folder away',
  ENOSPC: 'make room on it',
};
