import { insufficientStorage } from '../../core/shared/errors.ts';

/**
 * Returns the system's error code, such as `ENOENT`. Returns undefined for an error without a code.
 */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'ENODEV']);

/**
 * Returns true if an error means that a path does not lead to a readable file. For example, the
 * path is missing, is a socket, or is a link where links are not allowed.
 */
export const isGone = (error: unknown) => GONE.has(codeOf(error) ?? '');

/**
 * Converts the error of a full disk or quota to `insufficient storage`. Returns any other error
 * unchanged.
 */
export function asStorageError(error: unknown): unknown {
  return isFull(error) ? insufficientStorage(error) : error;
}

/** Returns true for the error of a full disk or quota. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

/**
 * Returns true if an error means that a hard link is impossible. The file system has no hard links
 * (such as FAT), the file has too many, or the target is on another disk.
 */
export function isLinkUnsupported(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code);
}
