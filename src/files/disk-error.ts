import { insufficientStorage } from '../core/shared/errors.ts';

/** Returns the system's code of a failed call (`ENOENT`, ...), or undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'ENODEV']);

/**
 * Whether an error means that a path names nothing that can be read as a file. The path is missing,
 * a socket, or a link where links are not allowed.
 */
export const isGone = (error: unknown) => GONE.has(codeOf(error) ?? '');

/** Converts a full disk or quota to `insufficient storage`; returns any other error unchanged. */
export function asStorageError(error: unknown): unknown {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' ? insufficientStorage(error) : error;
}

/**
 * Whether an error means that a hard link is impossible. Either the file system has no hard links
 * (such as FAT), the file has too many, or the target is on another disk.
 */
export function knowsNoLinks(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code);
}
