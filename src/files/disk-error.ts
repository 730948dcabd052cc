import { insufficientStorage } from '../core/shared/errors.ts';

/** Returns the system's code of a failed call (`ENOENT`, ...), or undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'ENODEV']);

/**
 * Returns true if a path names nothing that can be read as a file: missing, a link where none is
 * allowed, a socket.
 */
export const isGone = (error: unknown) => GONE.has(codeOf(error) ?? '');

/** Converts a full disk or quota to `insufficient storage`; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' ? insufficientStorage(error) : error;
}

/**
 * Whether a file system refuses a hard link: it has none, as FAT, the file has too many, or the
 * target is on another disk.
 */
export function knowsNoLinks(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code);
}
