import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';

/**
 * All parts that were opened, in order, with a function that closes each. Closing works the same
 * after a failed start and at the end.
 */
export class OpenedParts {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Registers a part that was opened, and returns it. `close` is called once, before the parts that
   * were opened earlier are closed.
   */
  opened<T>(part: T, close: (part: T) => unknown): T {
    this.#closers.push(() => close(part));
    return part;
  }

  /**
   * Closes all parts, the last opened first, even if closing one of them fails. Then throws the
   * first error.
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
 * Converts the error of a failed start. An error of the system about a path becomes refused(), with
 * that path and advice. Any other error is returned unchanged.
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
