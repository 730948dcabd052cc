import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Container } from '../core/library/identity.ts';
import { refused } from '../core/shared/errors.ts';
import { encrypted } from './containers/archives/rar.ts';
import { ARCHIVE, runProgram } from './seven-zip-host.ts';

/** What is unpacked, and how much of it at most. */
export interface Unpacking {
  readonly path: string;
  /** 7-Zip's name of the format. */
  readonly format: '7z' | 'rar' | 'rar5' | 'xz' | 'zstd' | 'zip';
  /** Bytes. */
  readonly most: number;
}

/** Is told what the program does, so that another thread sees whether it makes progress. */
export interface Watch {
  /** The program starts, or goes on after a read or a write. */
  runs(): void;
  /** The program waits for a read or a write, or ended. */
  waits(): void;
  /** The program unpacked bytes, or read further into the archive than before. */
  madeProgress(): void;
}

/** What it always unpacks; of zips only those with methods that zlib does not have. */
export const onUnpackingThread: readonly Container[] = ['7z', 'rar', 'xz', 'zst'];

let compiled: Promise<WebAssembly.Module> | null = null;

/** The program, ready to be started; compiled once in a thread. */
export function compileProgram(): Promise<WebAssembly.Module> {
  const program = createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm');
  compiled ??= WebAssembly.compile(readFileSync(program));
  return compiled;
}

const OK = 0;
/** Such as bytes behind the end; the checksums were right. */
const WARNING = 1;
/** Maximum number of characters that are kept of the program's messages; the first error stops it anyway. */
const MAX_SAID = 64 * 1024;
/** A file that could not be unpacked, as a whole line. That the archive cannot be opened is said in several lines. */
const FILE_FAILED = /^ERROR: (?!\/archive$).*\n/m;

/**
 * Unpacks all files of an archive, one behind the other in its order, on this thread until it is done; `onPiece` gets
 * views that do not outlive the call. Runs in an instance of its own; see `runProgram` for what that can do. Returns
 * the size of the memory that it took. Throws a refused `CatalogError` when the archive is damaged, encrypted or needs
 * too much memory, also when the program crashes, and what reading throws.
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
  /** Keeps an error of ours from passing through the program, where it would look like a crash. */
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
      // nothing is unpacked after an error: what the program does then is its weakest part (CVE-2025-53816)
      if (FILE_FAILED.test(said)) throw new Error('a file could not be unpacked');
    },
  };
  // one thread: the reader of xz for several has an overflow (CVE-2026-14266)
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

/** Why what is unpacked is not taken: there is more of it than the directory says. */
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
