import { refused } from '../core/shared/errors.ts';
import { isSystemError, systemReason } from '../core/shared/system-reason.ts';

/**
 * All opened parts, in order, each with a function that closes the part. They are closed in the
 * same way after a failed start and at the end.
 */
export class ResourceStack {
  readonly #closers: (() => unknown)[] = [];
  #closed: Promise<void> | undefined;

  /**
   * Registers an opened part and returns it. `close` is called once, before the parts that were
   * opened earlier are closed.
   */
  track<T>(part: T, close: (part: T) => unknown): T {
    this.#closers.push(() => close(part));
    return part;
  }

  /**
   * Closes all parts in reverse order, even if closing a part fails. Then throws the first error.
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
 * Opens parts that are closed together. `open` registers each part in `parts` when it opens the
 * part. Returns what `open` returns, with a `close` that closes all parts. If `open` throws, closes
 * the parts that were opened before and throws the same error.
 */
export async function openWithRollback<T extends object>(
  open: (parts: ResourceStack) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const parts = new ResourceStack();
  const close = () => parts.close();
  try {
    return { ...(await open(parts)), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Closes a part by its own method `close`. */
export const close = (part: { close(): unknown }): unknown => part.close();

/**
 * Converts the error of a failed start. A system error about a path becomes refused(), with that
 * path and advice. Any other error is returned unchanged.
 */
export function toStartError(error: unknown): unknown {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (!isSystemError(error) || path === undefined) return error;
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return refused(`${path} must be a folder but is a file: move it away`, error);
  }
  const advice = advices[code] ?? 'correct this, or choose another folder with --data';
  return refused(`${path} cannot be used: ${systemReason(error)}; ${advice}`, error);
}

const permissionAdvice = 'let the user that runs Catalog read and write there';
const advices: Readonly<Record<string, string>> = {
  EACCES: permissionAdvice,
  EPERM: permissionAdvice,
  EISDIR: 'it must be a file: move the folder away',
  ENOSPC: 'free space on its disk',
};
