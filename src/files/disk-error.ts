import { insufficientStorage } from '../core/shared/errors.ts';

/** The system's code of a failed call (`ENOENT`, ...), or undefined for any other error. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const GONE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO', 'ENODEV']);

/** True when a path names nothing that could be read as a file: missing, a link where none may be, a socket. */
export const isGone = (error: unknown) => GONE.has(codeOf(error) ?? '');

/** A full disk or quota as `insufficient storage`; every other error unchanged. */
export function asStorageError(error: unknown): unknown {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' ? insufficientStorage(error) : error;
}

/** Whether a file system refuses a second name for a file, as FAT does, or a further one, or one on another of its disks. */
export function knowsNoLinks(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code);
}
