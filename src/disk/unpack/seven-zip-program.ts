import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ArchiveFormat, Container } from '../../core/library/containers.ts';
import { refused } from '../../core/shared/errors.ts';
import { encrypted } from '../containers/archives/rar/rar.ts';
import { ARCHIVE, runProgram } from './seven-zip-host.ts';

/** The archive to unpack, and the maximum unpacked size. */
export interface Unpacking {
  readonly path: string;
  /** Name of the format in 7-Zip. */
  readonly format: '7z' | 'rar' | 'rar5' | 'xz' | 'zstd' | 'zip';
  /** Maximum number of unpacked bytes. An archive with more bytes is refused. */
  readonly maxBytes: number;
}

/**
 * Callbacks about the activity of the unpacking program. They show another thread whether the
 * program makes progress.
 */
export interface ProgressWatch {
  /** Called when the program starts, or continues after a read or a write. */
  runs(): void;
  /** Called when the program waits for a read or a write, or has ended. */
  waits(): void;
  /**
   * Called when the program has unpacked bytes, or has read further into the archive than before.
   */
  madeProgress(): void;
}

/**
 * Containers that the program (7-Zip) always unpacks. Zips are not listed: the program unpacks a
 * zip only if zlib lacks one of its compression methods.
 */
export const threadUnpackedFormats: readonly Container[] = [
  '7z',
  'rar',
  'xz',
  'zst',
] satisfies ArchiveFormat[];

let compiled: Promise<WebAssembly.Module> | null = null;

/** Returns the compiled program. Each thread compiles the program only once. */
export function compileProgram(): Promise<WebAssembly.Module> {
  const program = createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm');
  compiled ??= WebAssembly.compile(readFileSync(program));
  return compiled;
}

const OK = 0;
/**
 * Exit status for minor problems, such as bytes after the end of the archive. All files were
 * unpacked, and their checksums were correct.
 */
const WARNING = 1;
/**
 * Maximum number of stored characters of the program's messages. The program is stopped at the
 * first error, so later messages are not needed.
 */
const MAX_OUTPUT_LENGTH = 64 * 1024;
/**
 * Matches a complete message line about a file that could not be unpacked. Does not match the
 * message about an archive that cannot be opened, because the lines after that message contain the
 * reason.
 */
const FILE_FAILED = /^ERROR: (?!\/archive$).*\n/m;

/**
 * Unpacks all files of an archive in order, back to back, and calls `onPiece` with every piece. A
 * piece is valid only during the call. Blocks this thread until the archive is unpacked. Returns
 * the size of the program's memory, in bytes. For the limits of the program, see `runProgram`.
 *
 * Throws a `CatalogError` of kind `refused` if the archive is damaged, encrypted or needs too much
 * memory, and if the program crashes. I/O errors of the archive are rethrown.
 */
export function unpackAll(
  program: WebAssembly.Module,
  { path, format, maxBytes }: Unpacking,
  onPiece: (piece: Uint8Array) => void,
  watch: ProgressWatch,
): number {
  const file = openSync(path, 'r');
  let output = '';
  let failure: unknown = null;
  let total = 0;
  let furthest = 0;
  /**
   * Runs a callback and records its error. The error then passes through the program. Without the
   * record, it would look like a crash of the program.
   */
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
        if (total > maxBytes) throw refused(tooMuch);
        onPiece(bytes);
        watch.madeProgress();
      }),
    writeMessage: (text: string) => {
      output = `${output}${text}`.slice(0, MAX_OUTPUT_LENGTH);
      // Stop at the first error. The code that continues after an error is the program's weakest
      // part (CVE-2025-53816).
      if (FILE_FAILED.test(output)) throw new Error('a file could not be unpacked');
    },
  };
  // `-mmt=1` uses one thread, because the multi-threaded xz reader has an overflow
  // (CVE-2026-14266).
  const switches = ['e', '-so', '-bd', '-y', '-p-', '-mmt=1', `-t${format}`];
  try {
    watch.runs();
    const { status, memory } = runProgram(program, ['7zz', ...switches, ARCHIVE], given);
    if (status === OK || status === WARNING) return memory;
  } catch (error) {
    if (failure !== null) throw failure;
    output += String(error);
  } finally {
    watch.waits();
    closeSync(file);
  }
  throw failure ?? refused(reasonIn(output));
}

/** Reason for refusing an archive that unpacks to more bytes than its directory states. */
const tooMuch = 'it is damaged: it holds more bytes than it says';

function reasonIn(output: string): string {
  if (/wrong password|encrypted/i.test(output)) return encrypted;
  if (/unsupported method/i.test(output)) return 'its compression is not known: unpack it first';
  if (/allocate|out of memory|memory usage/i.test(output)) {
    return 'it needs more memory than is used for unpacking (128 MiB): unpack it first';
  }
  if (/crc failed/i.test(output)) return 'it is damaged: its checksum (CRC-32) does not match';
  return 'it is damaged: it cannot be unpacked';
}
