import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import sevenZip from '7z-wasm';
import type { Container } from '../core/library/identity.ts';
import { refused } from '../core/shared/errors.ts';
import { encrypted } from './containers/archives/rar.ts';

/** What is unpacked, and how much of it at most. */
export interface Unpacking {
  readonly path: string;
  /** 7-Zip's name of the format. */
  readonly format: '7z' | 'rar' | 'rar5' | 'xz' | 'zstd' | 'zip';
  /** Bytes. */
  readonly most: number;
}

/** What it always unpacks; of zips only those with methods that zlib does not have. */
export const onUnpackingThread: readonly Container[] = ['7z', 'rar', 'xz', 'zst'];

/** The program, ready to be started. */
export function compileProgram(): Promise<WebAssembly.Module> {
  const program = createRequire(import.meta.url).resolve('7z-wasm/7zz.wasm');
  return WebAssembly.compile(readFileSync(program));
}

/** What the program may use in all: a dictionary of 64 MiB, and what it needs beside it. */
const MOST_MEMORY = 128 * 1024 * 1024;
const PAGE = 64 * 1024;
const OK = 0;
/** Such as bytes behind the end; the checksums were right. */
const WARNING = 1;
const STDOUT = 1;
const ARCHIVE = '/archive';

/**
 * Unpacks all files of an archive, one behind the other in its order, on this thread until it is done; `onPiece` gets
 * views that do not outlive the call. The program's reads and writes are ours; it sees no other file, and gets at most
 * 128 MiB; returns how much it took. Throws a refused `CatalogError` when the archive is damaged, encrypted or needs more, and what reading throws.
 */
export async function unpackAll(
  program: WebAssembly.Module,
  { path, format, most }: Unpacking,
  onPiece: (piece: Uint8Array) => void,
): Promise<number> {
  const file = openSync(path, 'r');
  try {
    const said: string[] = [];
    const { FS, callMain, memory } = await start(program, (line) => said.push(line));
    let failure: unknown = null;
    let total = 0;
    /** What is thrown inside a call of the program would look like a bug of it. */
    const guarded = (call: () => number): number => {
      try {
        return call();
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    FS.writeFile(ARCHIVE, new Uint8Array(0));
    const { node } = FS.lookupPath(ARCHIVE);
    node.usedBytes = fstatSync(file).size;
    node.stream_ops = {
      ...node.stream_ops,
      read: (_stream, bytes, offset, length, position) =>
        guarded(() => readSync(file, bytes, offset, length, position)),
    };
    const stdout = FS.streams[STDOUT];
    if (!stdout) throw new Error('the unpacking program has no output');
    stdout.stream_ops = {
      ...stdout.stream_ops,
      write: (_stream, bytes, offset, length) =>
        guarded(() => {
          total += length;
          if (total > most) throw refused(tooMuch);
          onPiece(bytes.subarray(offset, offset + length));
          return length;
        }),
    };
    const code = run(callMain, ['e', '-so', '-bd', '-y', '-p-', `-t${format}`, ARCHIVE], said);
    if (failure !== null) throw failure;
    if (code !== OK && code !== WARNING) throw refused(reasonIn(said.join('\n')));
    return memory?.buffer.byteLength ?? 0;
  } finally {
    closeSync(file);
  }
}

/** Why what is unpacked is not taken: there is more of it than the directory says. */
const tooMuch = 'it is damaged: it holds more bytes than it says';

/** What is used of the program's module (Emscripten), beyond its own types. */
interface Program {
  readonly FS: {
    writeFile(path: string, bytes: Uint8Array): void;
    lookupPath(path: string): { readonly node: { usedBytes: number; stream_ops: Operations } };
    readonly streams: readonly ({ stream_ops: Operations } | null)[];
  };
  callMain(args: string[]): number;
}

type Operation = (
  stream: unknown,
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => number;
interface Operations {
  read?: Operation;
  write?: Operation;
}

async function start(
  program: WebAssembly.Module,
  onLine: (line: string) => void,
): Promise<Program & { memory: WebAssembly.Memory | null }> {
  let memory: WebAssembly.Memory | null = null;
  const options = {
    instantiateWasm(
      imports: WebAssembly.Imports,
      onReady: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object {
      const instance = new WebAssembly.Instance(program, imports);
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) memory = limited(exported);
      }
      onReady(instance, program);
      return {};
    },
    print: onLine,
    printErr: onLine,
    // it would end the process
    quit: () => undefined,
  };
  const started = (await sevenZip.default(options)) as unknown as Program;
  return { ...started, memory };
}

/** A refusal to grow is to the program that there is no memory, which it says. */
function limited(memory: WebAssembly.Memory): WebAssembly.Memory {
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > MOST_MEMORY) throw new RangeError('too much');
    return grow(pages);
  };
  return memory;
}

/** The program's exit code; it ends by an exception where it stops in the middle. */
function run(callMain: Program['callMain'], args: string[], said: string[]): number {
  try {
    return callMain(args);
  } catch (error) {
    said.push(String(error));
    return (error as { status?: number }).status ?? -1;
  }
}

function reasonIn(said: string): string {
  if (/wrong password|encrypted/i.test(said)) return encrypted;
  if (/unsupported method/i.test(said)) return 'its compression is not known: unpack it first';
  if (/allocate|out of memory|memory usage/i.test(said)) {
    return 'it needs more memory than is used for unpacking (128 MiB): unpack it first';
  }
  if (/crc failed/i.test(said)) return 'it is damaged: its checksum (CRC-32) does not match';
  return 'it is damaged: it cannot be unpacked';
}
