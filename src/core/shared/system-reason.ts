/** Descriptions of operating system errors that a disk or a user can cause, by error code. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota is used up',
  EEXIST: 'it exists already',
  EFBIG: 'the file system takes no file of this size',
  EIO: 'the disk failed (input/output error)',
  EISDIR: 'it is a folder',
  ELOOP: 'too many links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENODEV: 'there is no such device',
  ENOENT: 'no such file or directory',
  ENOSPC: 'the disk is full',
  ENOTCONN: 'the file system is not connected',
  ENOTDIR: 'part of its path is no folder',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ESTALE: 'the file system was mounted anew on its server',
  ETIMEDOUT: 'its server does not answer',
};

/**
 * Returns a description of an operating system error, such as "no such file or directory". An error
 * code without a description is returned as `error CODE`. Returns any other error as text.
 */
export function systemReason(error: unknown): string {
  const code = codeOf(error);
  return code === null ? String(error) : (words[code] ?? `error ${code}`);
}

/** Returns true if an error comes from the operating system and not from this program. */
export function isSystemError(error: unknown): boolean {
  return codeOf(error) !== null;
}

function codeOf(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? null : code;
}
