import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type PackedContent, type PlaceOptions, StepProblem } from '../../core/builds/ports.ts';
import { renameInSheet } from '../../core/builds/rewrite-sheet.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { writeAll } from '../local/write-all.ts';
import { type UnpackArchive, UnpackedArchive } from './unpacked-archive.ts';
import type { ContentWriter } from './write-content.ts';

const bufferSize = 2 ** 20;
/** Maximum size of a sheet, in bytes. */
const maxSheetBytes = 2 ** 20;

type Packed = Pick<PackedContent, 'source' | 'member'>;

/** Damage in an archive: files from `index` on cannot be unpacked. */
interface Damage {
  readonly key: string;
  readonly index: number;
  readonly problem: StepProblem;
}

/**
 * Unpacks files of archives, one at a time. The archive stays open between two calls, so that files
 * that are requested in the archive's order are unpacked in one pass.
 */
export class UnpackingWriter {
  readonly #sources: Pick<ContentWriter, 'openSource'>;
  readonly #unpack: UnpackArchive;
  #open: { readonly key: string; readonly archive: UnpackedArchive } | null = null;
  /** Keeps a damaged solid archive from being unpacked again for each of its files. */
  #damage: Damage | null = null;

  constructor(sources: Pick<ContentWriter, 'openSource'>, unpack: UnpackArchive) {
    this.#sources = sources;
    this.#unpack = unpack;
  }

  /**
   * Creates a file at a path, and makes its bytes survive a power cut. Throws `StepProblem` if the
   * archive was changed or is damaged, or if the bytes are not those that the scan found. After an
   * error, an incomplete file may remain.
   */
  async write(path: string, content: PackedContent, options: PlaceOptions): Promise<void> {
    const { member, names } = content;
    const { signal, onBytes, isVerified } = options;
    await this.#checkSource(content);
    const sheet = names === null ? null : await this.#sheet(content, signal);
    const file = await open(path, 'wx+');
    try {
      if (sheet !== null) {
        await writeAll(file, sheet, 0);
        onBytes(member.size);
      } else await copyPieces(this.#pieces(content, signal), file, onBytes);
      await file.sync();
      await this.#checkSource(content);
      if (isVerified && sheet === null) await compareFile(file, content, signal);
    } finally {
      await file.close();
    }
  }

  /** Throws `StepProblem` if a file of the target differs from that in the archive. */
  async compare(path: string, content: PackedContent, signal: AbortSignal): Promise<void> {
    await this.#checkSource(content);
    if (content.names !== null) {
      const sheet = await this.#sheet(content, signal);
      if (!sheet.equals(await readFile(path))) throw differs(content);
      return;
    }
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      let position = 0;
      let isSame = true;
      const buffer = Buffer.alloc(bufferSize);
      // Read all pieces even after a difference, because the next file follows in the archive.
      for await (const piece of this.#pieces(content, signal)) {
        for (let at = 0; isSame && at < piece.length; ) {
          const wanted = piece.subarray(at, at + bufferSize);
          const { bytesRead } = await file.read(buffer, 0, wanted.length, position);
          isSame =
            bytesRead > 0 && wanted.subarray(0, bytesRead).equals(buffer.subarray(0, bytesRead));
          at += bytesRead;
          position += bytesRead;
        }
      }
      await this.#checkSource(content);
      if (!isSame || position !== size) throw differs(content);
    } finally {
      await file.close();
    }
  }

  async close(): Promise<void> {
    const opened = this.#open;
    this.#open = null;
    await opened?.archive.close();
  }

  /** Throws `StepProblem` if an archive is not as the last scan found it. */
  async #checkSource({ source }: Packed): Promise<void> {
    await (await this.#sources.openSource(source)).close();
  }

  /** Returns the bytes of a sheet, with its file names replaced by those in the tree. */
  async #sheet(content: PackedContent, signal: AbortSignal): Promise<Buffer> {
    const { member, names } = content;
    if (member.size > maxSheetBytes) throw problemOf(content, 'it is too large for a sheet');
    const pieces: Buffer[] = [];
    for await (const piece of this.#pieces(content, signal)) pieces.push(Buffer.from(piece));
    const renamed = renameInSheet(Buffer.concat(pieces), names ?? []);
    if (renamed === null) throw problemOf(content, 'it names no file');
    if ('bytes' in renamed) return Buffer.from(renamed.bytes);
    throw problemOf(content, `it names the file "${renamed.unknown}", which the archive lacks`);
  }

  /** Yields the content of a file in an archive, and compares it with its record at the end. */
  async *#pieces(content: Packed, signal: AbortSignal): AsyncGenerator<Buffer> {
    const { member } = content;
    const archive = await this.#archiveOf(content);
    const sum = new Sum(member);
    let isWhole = false;
    try {
      for await (const piece of archive.pieces(member.index, signal)) {
        sum.add(piece);
        if (sum.size > member.size) break;
        yield piece;
      }
      isWhole = sum.size <= member.size;
    } catch (error) {
      if (signal.aborted) throw error;
      const problem = unpackProblem(content, error);
      const { index } = member;
      if (archive.isLinear) this.#damage = { key: keyOf(content), index, problem };
      throw problem;
    } finally {
      if (!isWhole) await this.close();
    }
    if (!sum.isRight) throw problemOf(content, 'its bytes are not those that the last scan found');
  }

  /** Returns an open archive from which the file can still be read. */
  async #archiveOf(content: Packed): Promise<UnpackedArchive> {
    const { source, member } = content;
    const key = keyOf(content);
    const damage = this.#damage;
    if (damage?.key === key && member.index >= damage.index) throw damage.problem;
    const opened = this.#open;
    if (opened?.key === key && opened.archive.has(member.index)) return opened.archive;
    await this.close();
    const archive = new UnpackedArchive(this.#unpack(source.path, member.format));
    this.#open = { key, archive };
    return archive;
  }
}

/** Compares bytes with the SHA-1 of a record, or with the CRC-32 if the record has no SHA-1. */
class Sum {
  size = 0;
  readonly #member: Packed['member'];
  readonly #sha1 = createHash('sha1');
  #crc32 = 0;

  constructor(member: Packed['member']) {
    this.#member = member;
  }

  add(piece: Buffer): void {
    this.size += piece.length;
    if (this.#member.sha1 === null) this.#crc32 = crc32(piece, this.#crc32);
    else this.#sha1.update(piece);
  }

  /** True if exactly the recorded bytes were added. May be read only once. */
  get isRight(): boolean {
    const { size, sha1, crc32: sum } = this.#member;
    if (this.size !== size) return false;
    if (sha1 !== null) return this.#sha1.digest('hex') === sha1;
    return this.#crc32.toString(16).padStart(8, '0') === sum;
  }
}

/** Writes pieces to a file. The next ones are unpacked while the last ones are written. */
async function copyPieces(
  pieces: AsyncIterable<Buffer>,
  to: FileHandle,
  onBytes: PlaceOptions['onBytes'],
): Promise<void> {
  let buffers: [Buffer, Buffer] = [Buffer.alloc(bufferSize), Buffer.alloc(bufferSize)];
  let filled = 0;
  let position = 0;
  let writing = Promise.resolve();
  async function flush(): Promise<void> {
    await writing;
    const [buffer, other] = buffers;
    writing = writeAll(to, buffer.subarray(0, filled), position);
    writing.catch(() => undefined); // is awaited below
    onBytes(filled);
    position += filled;
    filled = 0;
    buffers = [other, buffer];
  }
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; ) {
        const copied = piece.copy(buffers[0], filled, at);
        at += copied;
        filled += copied;
        if (filled === bufferSize) await flush();
      }
    }
    if (filled > 0) await flush();
  } finally {
    await writing;
  }
}

/** Reads a written file again. Throws `StepProblem` if the bytes are not the recorded ones. */
async function compareFile(file: FileHandle, content: Packed, signal: AbortSignal): Promise<void> {
  const sum = new Sum(content.member);
  const buffer = Buffer.alloc(bufferSize);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, bufferSize, sum.size);
    if (bytesRead === 0) break;
    sum.add(buffer.subarray(0, bytesRead));
  }
  if (!sum.isRight) throw differs(content);
}

function keyOf({ source: { path, size, mtimeNs } }: Packed): string {
  return `${path} ${size} ${mtimeNs}`;
}

/** Returns the name of a file in an archive, for messages. */
function nameOf({ source, member }: Packed): string {
  return member.name === '' ? source.path : `${source.path}: ${member.name}`;
}

function differs(content: Packed): StepProblem {
  return new StepProblem('failed', `Its bytes differ from those of ${nameOf(content)}`);
}

function problemOf(content: Packed, why: string): StepProblem {
  return new StepProblem('failed', `${nameOf(content)} cannot be unpacked: ${why}`);
}

function unpackProblem({ source }: Packed, error: unknown): StepProblem {
  const isOfSystem = !(error instanceof Error) || isSystemError(error);
  const reason = isOfSystem ? systemReason(error) : error.message;
  return new StepProblem('failed', `${source.path} cannot be unpacked: ${reason}`, error);
}
