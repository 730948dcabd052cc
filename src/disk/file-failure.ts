import { DamagedImage, DiskFailure, SpoolDiskFailure } from '../core/library/file-failures.ts';
import { CatalogError } from '../core/shared/errors.ts';

/**
 * A message from a thread about a problem with a file, or with the disk to which the file's content
 * is unpacked. An error object would lose its class when sent to another thread.
 */
export type FileFailureMessage =
  | { readonly kind: 'damaged'; readonly message: string }
  | { readonly kind: 'disk'; readonly message: string; readonly code: string }
  | { readonly kind: 'own-disk'; readonly message: string };

/**
 * Converts an error that was thrown while reading a file to a message. Returns null if the error is
 * a bug. A `CatalogError` of kind `refused` means that the file is damaged. A system error has a
 * number (`errno`) and a code. Node's own errors have no number, so they are bugs.
 */
export function failureOf(error: unknown): FileFailureMessage | null {
  if (error instanceof CatalogError && error.kind === 'refused') {
    return { kind: 'damaged', message: error.message };
  }
  if (error instanceof SpoolDiskFailure) return { kind: 'own-disk', message: error.message };
  if (!(error instanceof Error)) return null;
  const { message, code, errno } = error as NodeJS.ErrnoException;
  return code === undefined || errno === undefined ? null : { kind: 'disk', message, code };
}

/** Converts a message to the error that the `Disk` port of core throws. */
export function toError(
  failure: FileFailureMessage,
): DamagedImage | DiskFailure | SpoolDiskFailure {
  const { kind, message } = failure;
  if (kind === 'damaged') return new DamagedImage(message);
  if (kind === 'own-disk') return new SpoolDiskFailure(message);
  return new DiskFailure(message, failure.code);
}
