import { CatalogError } from '../shared/errors.ts';
import { DatRefused } from './dat.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read (permission denied)',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
};

/** `FILE:LINE: reason` for a file that was refused; what is no fault of the file is thrown again. */
export function reasonFor(path: string, error: unknown): string {
  if (error instanceof DatRefused) return `${path}:${error.line}: ${error.reason}`;
  if (error instanceof CatalogError && error.kind === 'refused') return `${path}: ${error.message}`;
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // What the system says of a file names the call that failed.
  if (code === undefined || syscall === undefined) throw error;
  return `${path}: ${reasons[code] ?? `it cannot be read (${code})`}`;
}
