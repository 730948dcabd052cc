import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Container } from '../core/library/identity.ts';
import { refused } from '../core/shared/errors.ts';
import { encrypted } from './containers/archives/rar.ts';
import { ARCHIVE, runProgram } from './seven-zip-host.ts';

/** The archive to unpack, and the limit of its unpacked size. */
export interface Unpacking {
  readonly path: string;
  /** 7-Zip's name of the format. */
  readonly format: '7z' | 'rar' | 'rar5' | 'xz' | 'zstd' | 'zip';
  /** Maximum number of unpacked bytes. */
  readonly most: number;
}

/** Receives what the program does, so that another thread can see whether it makes progress. */
export interface Watch {
  /** The program starts, or continues after a read or a write. */
  runs(): void;
  /** The program waits for a read or a write, or has ended. */
  waits(): void;
  /** The program unpacked bytes, or read further into the archive than before. */
  madeProgress(): void;
}

/**
 * Containers that this program always unpacks. It also unpacks zips with methods that zlib lacks.
 */
export const onUnpackingThread: readonly Container[] = ['7z', 'rar', 'xz', 'zst'];

let compiled: Promise<WebAssembly.Module> | null = null;

/** Returns the program, ready to be started; it is compiled once per thread. */
export function compileProgram(): Promise<WebAssembly.Module> {
  const program = createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm');
  compiled ??= WebAssembly.compile(readFileSync(program));
  return compiled;
}

const OK = 0;
/** Exit status for problems such as bytes after the end; the checksums were right. */
const WARNING = 1;
/**
 * Maximum number of characters that are kept of the program's messages; the first error stops it
 * anyway.
 */
const MAX_SAID = 64 * 1024;
/**
 * Matches the whole line about a file that could not be unpacked. An archive that cannot be opened
 * is reported in several lines.
 */
const FILE_FAILED = /^ERROR: (?!\/archive$).*\n/m;

/**
 * Unpacks all files of an archive back to back, in order, and blocks this thread until it is done.
 * `onPiece` gets views that are only valid during the call. The program runs in its own instance;
 * see `runProgram` for its limits. Returns the size of the memory that it took. Throws a refused
 * `CatalogError` when the archive is damaged, encrypted or needs too much memory, and when the
 * program crashes. Errors of reading pass through.
 */
export function unpackAll(
  program: WebAssembly.Module,
  { path, format, most }: Unpacking,
  onPiece: (piece: Uint8Array) => void,
  watch: Watch,
): number {
  const file = openSync(path, 'r');
  let said = '';
  let failure: unknown = null;
  let total = 0;
  let furthest = 0;
  /** Records an error of ours, which looks like a crash after it passed through the program. */
  const guarded = <Result>(call: () => Result): Result => {
    watch.waits();
    try {
      return call();
    } catch (error) {
      failure ??= error;
      throw error;
    } finally {
      watch.runs();
    }
  };
  const given = {
    size: fstatSync(file).size,
    read: (bytes: Uint8Array, position: number) =>
      guarded(() => {
        const length = readSync(file, bytes, 0, bytes.length, position);
        if (position + length > furthest) {
          furthest = position + length;
          watch.madeProgress();
        }
        return length;
      }),
    write: (bytes: Uint8Array) =>
      guarded(() => {
        total += bytes.length;
        if (total > most) throw refused(tooMuch);
        onPiece(bytes);
        watch.madeProgress();
      }),
    say: (text: string) => {
      said = `${said}${text}`.slice(0, MAX_SAID);
      // Nothing is unpacked after an error: the program's behaviour then is its weakest part
      // (CVE-2025-53816).
      if (FILE_FAILED.test(said)) throw new Error('a file could not be unpacked');
    },
  };
  // Use one thread, because the multi-threaded xz reader has an overflow (CVE-2026-14266).
  const switches = ['e', '-so', '-bd', '-y', '-p-', '-mmt=1', `-t${format}`];
  try {
    watch.runs();
    const { status, memory } = runProgram(program, ['7zz', ...switches, ARCHIVE], given);
    if (status === OK || status === WARNING) return memory;
  } catch (error) {
    if (failure !== null) throw failure;
    said += String(error);
  } finally {
    watch.waits();
    closeSync(file);
  }
  throw failure ?? refused(reasonIn(said));
}

/** Why unpacked bytes are rejected: there are more of them than the directory says. */
const tooMuch = 'it is damaged: it holds more bytes than it says';

function reasonIn(said: string): string {
  if (/wrong password|encrypted/i.test(said)) return encrypted;
  if (/unsupported method/i.test(said)) return 'its compression is not known: unpack it first';
  if (/allocate|out of memory|memory usage/i.test(said)) {
    return 'it needs more memory than is used for unpacking (128 MiB): unpack it first';
  }
  if (/crc failed/i.test(said)) return 'it is damaged: its checksum (CRC-32) does not match';
  return 'it is damaged: it cannot be unpacked';
}
