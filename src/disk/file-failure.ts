import { DamagedImage, DiskFailure, OwnDiskFailure } from '../core/library/file-failures.ts';
import { CatalogError } from '../core/shared/errors.ts';

/** What is wrong with a file, or with the disk to which it is unpacked, as it crosses from a thread: an error's class would be lost. */
export type FileFailureMessage =
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'disk'; readonly message: string; readonly code: string }
  | { readonly kind: 'own-disk'; readonly message: string };

/**
 * What an error of reading a file says of the file; null for a bug. What readers refuse is damage; an error of the
 * system has a number (`errno`) beside its code, which errors of Node's own have not.
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

/** The error of core's `Disk` port. */
export function toError(failure: FileFailureMessage): DamagedImage | DiskFailure | OwnDiskFailure {
  const { kind, message } = failure;
  if (kind === 'damaged') return new DamagedImage(message);
  if (kind === 'own-disk') return new OwnDiskFailure(message);
  return new DiskFailure(message, failure.code);
}
