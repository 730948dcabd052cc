import { CatalogError } from '../shared/errors.ts';
import { DatRefused } from './dat.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read (permission denied)',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
};

/** A file that was not taken. */
export interface Refusal {
  /** `FILE:LINE: reason`, or without a line `FILE: reason`. */
  readonly refused: string;
  /** From 1; null where no line is at fault. */
  readonly line: number | null;
  readonly reason: string;
}

/** Why a file was refused; what is no fault of the file is thrown again. */
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
  // What the system says of a file names the call that failed.
  if (code === undefined || syscall === undefined) throw error;
  return reasons[code] ?? `it cannot be read (${code})`;
}
