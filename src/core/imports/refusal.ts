import { CatalogError } from '../shared/errors.ts';
import { DatRefused } from './dat.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read (permission denied)',
  EISDIR: 'it is a folder',
  EIO: 'the disk cannot read it',
};

/** A file that was refused. */
export interface Refusal {
  /** `FILE:LINE: reason`, or without a line `FILE: reason`. */
  readonly refused: string;
  /** Counted from 1; null if no line is at fault. */
  readonly line: number | null;
  readonly reason: string;
}

/** Returns why a file was refused; rethrows errors that are not the file's fault. */
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
  // System errors about a file have the name of the failed call.
  if (code === undefined || syscall === undefined) throw error;
  return reasons[code] ?? `it cannot be read (${code})`;
}
