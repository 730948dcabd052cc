import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, open, readFile, rm } from 'node:fs/promises';
import {
  type Content,
  type LibraryContent,
  type LibrarySource,
  type PlaceOptions,
  StepProblem,
} from '../../core/builds/ports.ts';
import { rewriteSheet } from '../../core/builds/rewrite-sheet.ts';
import { refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { codeOf, isLinkUnsupported } from '../local/disk-error.ts';
import { writeAll } from '../local/write-all.ts';
import { KernelCopier } from './kernel-copier.ts';

const bufferSize = 4 * 2 ** 20;
/**
 * Maximum size, in bytes, of a file that is copied concurrently with others. Larger files are
 * copied one at a time, so that their blocks do not alternate on the disk.
 */
const maxSmallBytes = 2 ** 20;
/**
 * Like `bytesPerSync`, but for copies by the kernel. Syncing slows these copies down, and they can
 * be killed at any time.
 */
const bytesPerKernelSync = 2 ** 30;
/** Minimum size of a file that the kernel copies, in bytes. */
const minKernelBytes = 32 * 2 ** 20;
/** Number of copied bytes after which they are synced, while more of the file is copied. */
const bytesPerSync = 64 * 2 ** 20;
/** Maximum size of a sheet, in bytes. */
const maxSheetBytes = 2 ** 20;
/** Errors of a file system that cannot share the blocks of a file. */
const noReflink: readonly string[] = [
  'ENOTSUP',
  'EOPNOTSUPP',
  'EXDEV',
  'EINVAL',
  'ENOSYS',
  'ENOTTY',
];

/** Returns the inode of a library file; null if the file cannot be found. See `Disk.find`. */
export type FindSource = (source: LibrarySource) => Promise<{ readonly inode: bigint } | null>;

/** Writes the contents of files under temporary names. */
export class ContentWriter {
  readonly #find: FindSource;
  readonly #hasReflinks: boolean;
  /** The devices of sources that cannot share blocks with the target. */
  readonly #apart = new Set<bigint>();
  /** Resolves when all large copies that were started have ended. */
  #copying: Promise<unknown> = Promise.resolve();
  readonly #kernel = new KernelCopier();

  constructor(find: FindSource, { hasReflinks }: { readonly hasReflinks: boolean }) {
    this.#find = find;
    this.#hasReflinks = hasReflinks;
  }

  /**
   * Creates a file at a path, and makes its bytes survive a power cut. Throws `StepProblem` if the
   * source cannot be read, or refused() if the file system cannot do what the mode requires.
   */
  async write(path: string, content: Content, options: PlaceOptions): Promise<void> {
    if (content.from === 'memory') {
      const file = await open(path, 'wx');
      await finish(file, () => writeAll(file, content.bytes, 0));
      options.onBytes(content.bytes.byteLength);
      return;
    }
    const { source } = content;
    const from = await this.openSource(source);
    try {
      if (content.from === 'sheet') {
        const bytes = await readSheet(from, source, content.names);
        const file = await open(path, 'wx');
        await finish(file, () => writeAll(file, bytes, 0));
        return options.onBytes(source.size);
      }
      if (await this.#share(path, source, from, options.mode)) options.onBytes(source.size);
      else if (!(await this.#copyInKernel(path, from, source, options))) {
        const to = await open(path, 'wx');
        await finish(to, () => this.#copy(from, to, source, options));
      }
      if (options.isVerified) await compareFiles(path, from, source, options.signal);
    } finally {
      await from.close();
    }
  }

  /** Throws `StepProblem` if a file of the target differs from its source. */
  async compare(path: string, content: LibraryContent, signal: AbortSignal): Promise<void> {
    const { source } = content;
    const from = await this.openSource(source);
    try {
      if (content.from === 'library') return await compareFiles(path, from, source, signal);
      const sheet = await readSheet(from, source, content.names);
      if (!sheet.equals(await readFile(path))) throw differs(source);
    } finally {
      await from.close();
    }
  }

  /** Opens a source. Throws `StepProblem` if it is not as the last scan found it. */
  async openSource(source: LibrarySource): Promise<FileHandle> {
    try {
      const found = await this.#find(source);
      const handle = found && (await open(source.path, constants.O_RDONLY | constants.O_NOFOLLOW));
      if (handle !== null) {
        const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
        const isSame = Number(size) === source.size && mtimeNs === source.mtimeNs;
        if (isSame && ino === found?.inode) return handle;
        await handle.close();
      }
    } catch (error) {
      throw sourceProblem(source, error);
    }
    throw new StepProblem(
      'failed',
      `${source.path} was changed or removed since the last scan: scan the library again`,
    );
  }

  async #copy(...args: Parameters<typeof copyBytes>): Promise<void> {
    const [, , { size }] = args;
    if (size <= maxSmallBytes) return copyBytes(...args);
    return this.#inTurn(() => copyBytes(...args));
  }

  /**
   * Copies a large file with `KernelCopier`. Returns false if the file must be copied in another
   * way; then no file has this path.
   */
  async #copyInKernel(
    path: string,
    from: FileHandle,
    source: LibrarySource,
    options: PlaceOptions,
  ): Promise<boolean> {
    // On a file system with reflinks, the kernel would share blocks. A copy must not share blocks.
    if (source.size < minKernelBytes || this.#hasReflinks) return false;
    const copy = () => this.#kernel.copy(from, path, source, options, bytesPerKernelSync);
    if (!(await this.#inTurn(copy))) return false;
    await finishClone(path);
    return true;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const copying = this.#copying.then(work);
    this.#copying = copying.catch(() => undefined);
    return copying;
  }

  /** Creates a hard link or a reflink of a source. Returns false if the bytes must be copied. */
  async #share(
    path: string,
    source: LibrarySource,
    from: FileHandle,
    mode: PlaceOptions['mode'],
  ): Promise<boolean> {
    if (mode === 'copy') return false;
    if (mode === 'hardlink') {
      await link(source.path, path).catch((error) => {
        if (!isLinkUnsupported(error)) throw error;
        throw refused(`${source.path} cannot be linked (${codeOf(error)}): use --mode copy`, error);
      });
      const target = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      const isSame = (await target.stat()).ino === (await from.stat()).ino;
      await target.close();
      if (isSame) return true;
      await rm(path, { force: true });
      throw new StepProblem('failed', `${source.path} was changed: scan the library again`);
    }
    const { dev } = await from.stat({ bigint: true });
    if (mode === 'auto' && (!this.#hasReflinks || this.#apart.has(dev))) return false;
    try {
      // Clone the open file: another file may have its name by now.
      const flags = constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL;
      const open = process.platform === 'linux' ? `/proc/self/fd/${from.fd}` : source.path;
      await copyFile(open, path, flags);
    } catch (error) {
      await rm(path, { force: true });
      const code = codeOf(error) ?? '';
      // The permissions of this file may prevent sharing. Other files may still be shared.
      if (mode === 'auto' && ['EPERM', 'EACCES'].includes(code)) return false;
      if (!noReflink.includes(code)) throw error;
      if (mode === 'auto') {
        this.#apart.add(dev);
        return false;
      }
      throw refused(`${source.path} cannot be shared (${codeOf(error)}): use --mode copy`, error);
    }
    await finishClone(path);
    return true;
  }
}

async function readSheet(
  from: FileHandle,
  source: LibrarySource,
  names: readonly string[],
): Promise<Buffer> {
  if (source.size <= maxSheetBytes) {
    const buffer = Buffer.alloc(source.size);
    const { bytesRead } = await readFrom(from, buffer, source);
    const bytes = bytesRead === source.size ? rewriteSheet(buffer, names) : null;
    if (bytes !== null) return Buffer.from(bytes);
  }
  throw new StepProblem('failed', `${source.path} does not name its files as the last scan found`);
}

/**
 * Makes a copied file writable, and syncs it. The copy has the permissions of its source, which may
 * be read-only.
 */
async function finishClone(path: string): Promise<void> {
  const file = await open(path, 'r');
  await finish(file, () =>
    file.chmod(0o644).catch((error) => {
      if (!['EPERM', 'ENOTSUP'].includes(codeOf(error) ?? '')) throw error;
    }),
  );
}

/** Runs work with a file, then syncs and closes the file. */
async function finish(file: FileHandle, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Copies a file. The next piece is read while the last one is written and earlier ones are synced.
 * At most about two times `bytesPerSync` are unsynced, so that an abort is quick on a slow disk.
 */
async function copyBytes(
  from: FileHandle,
  to: FileHandle,
  source: LibrarySource,
  { signal, onBytes }: PlaceOptions,
): Promise<void> {
  const length = Math.min(bufferSize, source.size + 1); // one more byte shows a file that grew
  let buffers: [Buffer, Buffer] = [Buffer.allocUnsafe(length), Buffer.allocUnsafe(length)];
  let position = 0;
  let synced = 0;
  let writing = Promise.resolve();
  let syncing = Promise.resolve();
  try {
    for (;;) {
      signal.throwIfAborted();
      const [buffer, other] = buffers;
      const { bytesRead } = await readFrom(from, buffer, source);
      await writing;
      if (bytesRead === 0) break;
      if (position - synced >= bytesPerSync) {
        await syncing;
        syncing = to.datasync();
        syncing.catch(() => undefined); // is awaited below
        synced = position;
      }
      const at = position;
      writing = writeAll(to, buffer.subarray(0, bytesRead), at);
      writing.catch(() => undefined); // is awaited below
      position += bytesRead;
      onBytes(bytesRead);
      buffers = [other, buffer];
    }
  } finally {
    await Promise.allSettled([writing, syncing]);
  }
  await syncing;
  if (position === source.size) return;
  throw new StepProblem('failed', `${source.path} was changed while it was copied`);
}

/** Throws `StepProblem` if a file of the target differs from its source. */
async function compareFiles(
  path: string,
  from: FileHandle,
  source: LibrarySource,
  signal: AbortSignal,
): Promise<void> {
  const target = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const sha1 = await sha1Of(target, signal, (error) => error);
    const wanted = await sha1Of(from, signal, (error) => sourceProblem(source, error));
    if (sha1 === wanted) return;
  } finally {
    await target.close();
  }
  throw differs(source);
}

function differs({ path }: LibrarySource): StepProblem {
  return new StepProblem('failed', `Its bytes differ from those of ${path}`);
}

async function sha1Of(
  file: FileHandle,
  signal: AbortSignal,
  toError: (error: unknown) => unknown,
): Promise<string> {
  const hash = createHash('sha1');
  const buffer = Buffer.alloc(bufferSize);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, bufferSize, position).catch((error) => {
      throw toError(error);
    });
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

function readFrom(from: FileHandle, buffer: Buffer, source: LibrarySource) {
  return from.read(buffer, 0, buffer.length, null).catch((error) => {
    throw sourceProblem(source, error);
  });
}

function sourceProblem(source: LibrarySource, error: unknown): unknown {
  if (error instanceof StepProblem) return error;
  const reason =
    error instanceof Error && !isSystemError(error) ? error.message : systemReason(error);
  return new StepProblem('failed', `${source.path} cannot be read: ${reason}`, error);
}
