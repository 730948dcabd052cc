/**
 * Everything that the unpacking program (7-Zip) can access outside its own memory: one archive to
 * read, and two outputs to write to.
 */
export interface HostIo {
  /** Size of the archive, in bytes. */
  readonly size: number;
  /** Reads from the archive at offset `position` into `bytes`. Returns the number of bytes read. */
  read(bytes: Uint8Array, position: number): number;
  /** Receives unpacked bytes, which are valid only during the call. */
  write(bytes: Uint8Array): void;
  /** Receives a piece of the text that the program writes to standard error. */
  writeMessage(text: string): void;
}

/** Path of the only file that the program sees. */
export const ARCHIVE = '/archive';

/**
 * Maximum size of the program's memory, in bytes. This is enough for a dictionary of 64 MiB and the
 * program's other data.
 */
const MAX_MEMORY = 128 * 1024 * 1024;
const PAGE = 64 * 1024;
const OUTPUT = 1;
const MESSAGES = 2;
const FIRST_FILE = 3;
const MAX_OPEN = 16;

// Error numbers that the functions return. Emscripten uses the error numbers of WASI.
const EBADF = 8;
const EFAULT = 21;
const EINVAL = 28;
const EMFILE = 33;
const ENOENT = 44;
const ENOSYS = 52;
const ENOTTY = 59;

const REGULAR_FILE = 0o100444;
/** Flags of `open` for writing, creating or truncating a file. Only reading is allowed. */
const WRITING = 0o1 | 0o2 | 0o100 | 0o1000;

/** Thrown when the program calls `exit`. The exception ends the program from inside the call. */
class Exit extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** The exports of the program that are used here. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  __wasm_call_ctors(): void;
  __main_argc_argv(count: number, values: number): number;
  _emscripten_stack_alloc(bytes: number): number;
}

/**
 * Runs the program in a new instance. The instance's memory is released when the program ends.
 * Returns the program's exit status and the size of its memory in bytes. If the program does not
 * reach its end, throws the cause: a `WebAssembly.RuntimeError`, or an error of a function below.
 *
 * The program can call only the functions below. These functions read the archive, receive unpacked
 * bytes and messages, and grow the memory up to 128 MiB. The program has no other file, no folder,
 * no environment, no clock, no input and no network. Any other request to the system fails.
 */
export function runProgram(
  program: WebAssembly.Module,
  args: readonly string[],
  given: HostIo,
): { status: number; memory: number } {
  const host = new Host(given);
  const functions = host.functions();
  const imports = { env: functions, wasi_snapshot_preview1: functions };
  const instance = new WebAssembly.Instance(program, imports);
  const exports = instance.exports as unknown as Exports;
  host.memory = exports.memory;
  let status: number;
  try {
    exports.__wasm_call_ctors();
    status = exports.__main_argc_argv(args.length, host.argumentsIn(exports, args));
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    status = error.status;
  }
  return { status, memory: exports.memory.buffer.byteLength };
}

class Host {
  /** The program's memory, which the program exports. */
  memory: Pick<WebAssembly.Memory, 'buffer' | 'grow'> = {
    buffer: new ArrayBuffer(0),
    grow: () => -1,
  };
  readonly #io: HostIo;
  /**
   * The read position of each file that the program has opened. Null after the file was closed. The
   * index is the file's number minus `FIRST_FILE`.
   */
  readonly #positions: (number | null)[] = [];

  constructor(given: HostIo) {
    this.#io = given;
  }

  functions(): Record<string, (...args: never[]) => unknown> {
    const unavailable = () => -ENOSYS;
    const nothing = () => 0;
    const stat = (path: number, to: number) =>
      this.#textAt(path) === ARCHIVE ? this.#writeStat(to, FIRST_FILE) : -ENOENT;
    return {
      __syscall_openat: (_folder: number, path: number, flags: number) =>
        this.#textAt(path) === ARCHIVE && (flags & WRITING) === 0 ? this.#open() : -ENOENT,
      __syscall_stat64: stat,
      __syscall_lstat64: stat,
      __syscall_newfstatat: (_folder: number, path: number, to: number) => stat(path, to),
      __syscall_fstat64: (file: number, to: number) => this.#writeStat(to, file),
      __syscall_getcwd: (to: number, length: number) => this.#writeFolder(to, length),
      fd_read: (...args: Vectors) =>
        this.#eachVector(args, (file, bytes) => this.#read(file, bytes)),
      fd_write: (...args: Vectors) =>
        this.#eachVector(args, (file, bytes) => this.#write(file, bytes)),
      fd_seek: (file: number, offset: bigint, from: number, to: number) =>
        this.#seek(file, offset, from, to),
      fd_close: (file: number) => this.#close(file),
      emscripten_resize_heap: (size: number) => this.#grow(size >>> 0),
      emscripten_get_heap_max: () => MAX_MEMORY,
      exit: (status: number) => {
        throw new Exit(status);
      },
      _abort_js: () => {
        throw new Error('the program aborted');
      },
      // This build of the program cannot catch C++ exceptions, so an exception ends the program.
      __cxa_throw: () => {
        throw new Error('the program threw an exception');
      },
      __syscall_ioctl: () => -ENOTTY,
      fd_fdstat_get: () => EBADF,
      // For the program, the time is always the start of 1970, in UTC.
      clock_time_get: (_clock: number, _precision: bigint, to: number) => {
        this.#view().setBigUint64(to >>> 0, 0n, true);
        return 0;
      },
      emscripten_date_now: nothing,
      _gmtime_js: nothing,
      _localtime_js: nothing,
      _mktime_js: () => 0n,
      _tzset_js: nothing,
      environ_get: nothing,
      environ_sizes_get: (count: number, size: number) => {
        this.#view().setUint32(count >>> 0, 0, true);
        this.#view().setUint32(size >>> 0, 0, true);
        return 0;
      },
      __syscall_chmod: unavailable,
      __syscall_fchownat: unavailable,
      __syscall_ftruncate64: unavailable,
      __syscall_getdents64: unavailable,
      __syscall_mkdirat: unavailable,
      __syscall_readlinkat: unavailable,
      __syscall_renameat: unavailable,
      __syscall_rmdir: unavailable,
      __syscall_symlinkat: unavailable,
      __syscall_unlinkat: unavailable,
      __syscall_utimensat: unavailable,
    };
  }

  /**
   * Writes the arguments to the program's memory. Returns the address of the list of arguments
   * (`argv`). The first argument is the program's name.
   */
  argumentsIn(exports: Exports, args: readonly string[]): number {
    const places = args.map((arg) => {
      const bytes = Buffer.from(`${arg}\0`);
      const at = exports._emscripten_stack_alloc(bytes.length);
      new Uint8Array(this.memory.buffer).set(bytes, at);
      return at;
    });
    const list = exports._emscripten_stack_alloc((places.length + 1) * 4);
    const words = this.#view();
    [...places, 0].forEach((at, i) => {
      words.setUint32(list + i * 4, at, true);
    });
    return list;
  }

  #open(): number {
    if (this.#positions.length === MAX_OPEN) return -EMFILE;
    this.#positions.push(0);
    return FIRST_FILE + this.#positions.length - 1;
  }

  #close(file: number): number {
    if (this.#positionOf(file) === null) return EBADF;
    this.#positions[file - FIRST_FILE] = null;
    return 0;
  }

  #positionOf(file: number): number | null {
    return this.#positions[file - FIRST_FILE] ?? null;
  }

  /** Returns the number of bytes read, or null if the file is not open. */
  #read(file: number, bytes: Uint8Array): number | null {
    const position = this.#positionOf(file);
    if (position === null) return null;
    const length = position < this.#io.size ? this.#io.read(bytes, position) : 0;
    this.#positions[file - FIRST_FILE] = position + length;
    return length;
  }

  #write(file: number, bytes: Uint8Array): number | null {
    if (file === OUTPUT) this.#io.write(bytes);
    else if (file === MESSAGES) this.#io.writeMessage(Buffer.from(bytes).toString());
    else return null;
    return bytes.length;
  }

  #seek(file: number, offset: bigint, from: number, to: number): number {
    const position = this.#positionOf(file);
    if (position === null) return EBADF;
    const start = [0, position, this.#io.size][from];
    if (start === undefined) return EINVAL;
    const target = start + Number(offset);
    if (!Number.isSafeInteger(target) || target < 0) return EINVAL;
    this.#positions[file - FIRST_FILE] = target;
    this.#view().setBigInt64(to >>> 0, BigInt(target), true);
    return 0;
  }

  /**
   * Calls `use` with each piece of the program's memory in a list (`iovec`). Stops after a piece
   * that `use` did not use completely. Writes the number of used bytes to `total`. Returns an error
   * number or 0.
   */
  #eachVector(
    [file, list, count, total]: Vectors,
    use: (file: number, bytes: Uint8Array) => number | null,
  ): number {
    let sum = 0;
    for (let i = 0; i < count; i += 1) {
      const words = this.#view();
      const at = words.getUint32((list >>> 0) + i * 8, true);
      const length = words.getUint32((list >>> 0) + i * 8 + 4, true);
      if (at + length > words.byteLength) return EFAULT;
      const used = length === 0 ? 0 : use(file, new Uint8Array(words.buffer, at, length));
      if (used === null) return EBADF;
      sum += used;
      if (used < length) break;
    }
    this.#view().setUint32(total >>> 0, sum, true);
    return 0;
  }

  #grow(size: number): number {
    const { memory } = this;
    const now = memory.buffer.byteLength;
    // Grow by at least a fifth, as Emscripten does. Otherwise the program would call this function
    // for every page.
    const wanted = Math.min(Math.max(size, now * 1.2), MAX_MEMORY);
    if (size > wanted) return 0;
    try {
      memory.grow(Math.ceil((wanted - now) / PAGE));
      return 1;
    } catch {
      return 0;
    }
  }

  /** Writes the properties of the archive to address `to`, as Emscripten's `struct stat`. */
  #writeStat(to: number, file: number): number {
    if (file < FIRST_FILE) return -EBADF;
    const at = to >>> 0;
    new Uint8Array(this.memory.buffer, at, 96).fill(0);
    const words = this.#view();
    words.setUint32(at + 4, REGULAR_FILE, true);
    words.setUint32(at + 8, 1, true);
    words.setBigInt64(at + 24, BigInt(this.#io.size), true);
    words.setUint32(at + 32, PAGE, true);
    return 0;
  }

  #writeFolder(to: number, length: number): number {
    if (length >>> 0 < 2) return -EINVAL;
    new Uint8Array(this.memory.buffer, to >>> 0, 2).set([0x2f, 0]);
    return 2;
  }

  #view(): DataView {
    return new DataView(this.memory.buffer);
  }

  #textAt(at: number): string {
    const bytes = new Uint8Array(this.memory.buffer, at >>> 0);
    const end = bytes.indexOf(0);
    return Buffer.from(bytes.subarray(0, Math.max(end, 0))).toString();
  }
}

type Vectors = [file: number, list: number, count: number, total: number];
