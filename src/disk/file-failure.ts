import { DamagedImage, DiskFailure, OwnDiskFailure } from '../core/library/file-failures.ts';
import { CatalogError } from '../core/shared/errors.ts';

/**
 * What is wrong with a file, or with the disk it is unpacked to, in the form sent by a thread. An
 * error's class would be lost.
 */
export type FileFailureMessage =
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'disk'; readonly message: string; readonly code: string }
  | { readonly kind: 'own-disk'; readonly message: string };

/**
 * Returns what an error of reading a file says about the file; null if the error is a bug. Anything
 * that readers refuse is damage. A system error has a number (`errno`) next to its code; Node's own
 * errors do not.
 */
export function failureOf(error: unknown): FileFailureMessage | null {
  if (error instanceof CatalogError && error.kind === 'refused') {
    return { kind: 'damaged', message: error.message };
  }
  if (error instanceof OwnDiskFailure) return { kind: 'own-disk', message: error.message };
  if (!(error instanceof Error)) return null;
  const { message, code, errno } = error as NodeJS.ErrnoException;
  return code === undefined || errno === undefined ? null : { kind: 'disk', message, code };
}

/** Converts a failure to the error of core's `Disk` port. */
export function toError(failure: FileFailureMessage): DamagedImage | DiskFailure | OwnDiskFailure {
  const { kind, message } = failure;
  if (kind === 'damaged') return new DamagedImage(message);
  if (kind === 'own-disk') return new OwnDiskFailure(message);
  return new DiskFailure(message, failure.code);
}
