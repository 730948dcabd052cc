import { CatalogError } from '../shared/errors.ts';
import { DatRefused } from './dat.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read (permission denied)',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
};

/** Reports that a file was refused. */
export interface Refusal {
  /** `FILE:LINE: reason`, or `FILE: reason` if there is no line. */
  readonly refused: string;
  /** 1-based line of the error; null if the error does not concern a particular line. */
  readonly line: number | null;
  readonly reason: string;
}

/** Returns the reason why a file was refused. Rethrows an error that the file did not cause. */
export function refusalOf(path: string, error: unknown): Refusal {
  if (error instanceof DatRefused) {
    const { line, reason } = error;
    return { refused: `${path}:${line}: ${reason}`, line, reason };
  }
  const reason = reasonOf(error);
  return { refused: `${path}: ${reason}`, line: null, reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof CatalogError && error.kind === 'refused') return error.message;
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // Only a system error about a file has both an error code and the name of the failed system call.
  if (code === undefined || syscall === undefined) throw error;
  return reasons[code] ?? `it cannot be read (${code})`;
}
