import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { FileToPack } from '../core/library/ports.ts';
import type { OpenedFile } from '../core/shared/files/file-area.ts';
import {
  descriptor,
  descriptorLength,
  directoryEnd,
  directoryEntry,
  localHeader,
  type Member,
  needsDescriptor,
} from './zip-records.ts';

const bytesPerRead = 256 * 1024;

interface PlacedFile {
  readonly file: FileToPack;
  readonly member: Member & { readonly size: number };
  readonly header: Buffer;
  readonly hasDescriptor: boolean;
  /** Offsets in the zip, in bytes. `end` is exclusive, and follows the descriptor. */
  readonly start: number;
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly end: number;
}

/**
 * Implements `PackFiles`. An unknown CRC-32 of a file is calculated while the file is read. If the
 * caller skips bytes of the file, these bytes are read when the CRC-32 is needed.
 */
export function storedZip(name: string, files: readonly FileToPack[]): OpenedFile {
  return new StoredZip(name, files);
}

class StoredZip implements OpenedFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly etag: string;
  readonly #files: readonly PlacedFile[];
  readonly #directoryStart: number;
  #directory: Buffer | null = null;
  /** The open file, or null. At most one file is open at a time. */
  #open: { readonly of: PlacedFile; readonly file: OpenedFile } | null = null;
  /** For each file, the CRC-32 of the bytes so far. `upTo` is the number of these bytes. */
  readonly #sums = new Map<PlacedFile, { upTo: number; crc32: number }>();
  #isClosed = false;

  constructor(name: string, files: readonly FileToPack[]) {
    this.name = name;
    let offset = 0;
    this.#files = files.map((file) => {
      const modifiedMs = Number(file.mtimeNs / 1_000_000n);
      const { size, crc32 } = file;
      const member = { name: Buffer.from(file.name), size, crc32, modifiedMs };
      const header = localHeader(member);
      const hasDescriptor = needsDescriptor(member);
      const start = offset;
      const dataStart = start + header.length;
      const dataEnd = dataStart + size;
      offset = dataEnd + (hasDescriptor ? descriptorLength(size) : 0);
      return { file, member, header, hasDescriptor, start, dataStart, dataEnd, end: offset };
    });
    this.#directoryStart = offset;
    this.size = offset + this.#directoryOf(() => 0).length;
    this.mtimeNs = newestOf(files);
    // Include the CRC-32. A file without a known CRC-32 has a descriptor, which moves all bytes
    // after it.
    const parts = files.map((file) => [file.name, file.etag, file.crc32]);
    this.etag = `"${hash('sha1', JSON.stringify(['zip', ...parts]), 'base64url')}"`;
  }

  async head(length: number): Promise<Uint8Array> {
    const pieces: Buffer[] = [];
    for await (const piece of this.#pieces(0, Math.min(length, this.size))) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async read(buffer: Uint8Array, position: number): Promise<number> {
    if (position >= this.size || buffer.byteLength === 0) return 0;
    if (position >= this.#directoryStart) {
      return copy(await this.#readDirectory(), position - this.#directoryStart, buffer);
    }
    const at = this.#fileAt(position);
    if (position < at.dataStart) return copy(at.header, position - at.start, buffer);
    if (position < at.dataEnd) return this.#readData(at, position - at.dataStart, buffer);
    const { size } = at.member;
    return copy(descriptor({ size, crc32: await this.#crcOf(at) }), position - at.dataEnd, buffer);
  }

  stream({ start, end } = { start: 0, end: this.size - 1 }): Readable {
    return Readable.from(this.#closing(this.#pieces(start, end + 1)), { objectMode: false });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const open = this.#open;
    this.#open = null;
    await open?.file.close();
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const buffer = Buffer.allocUnsafe(Math.min(bytesPerRead, end - position));
      const count = await this.read(buffer, position);
      position += count;
      yield buffer.subarray(0, count);
    }
  }

  async *#closing(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* pieces;
    } finally {
      await this.close();
    }
  }

  /** Returns the file whose header, content or descriptor is at `position`. */
  #fileAt(position: number): PlacedFile {
    let [low, high] = [0, this.#files.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (position < (this.#files[middle] as PlacedFile).end) high = middle;
      else low = middle + 1;
    }
    return this.#files[low] as PlacedFile;
  }

  async #readData(at: PlacedFile, offset: number, buffer: Uint8Array): Promise<number> {
    const opened = await this.#opened(at);
    const wanted = buffer.subarray(0, Math.min(buffer.byteLength, at.member.size - offset));
    const count = await opened.read(wanted, offset);
    if (count === 0) throw new Error(`${at.file.name} became shorter while it was read`);
    if (at.member.crc32 === null) this.#sum(at, offset, wanted.subarray(0, count));
    return count;
  }

  /**
   * Adds bytes to the CRC-32 of a file. Ignores bytes that do not directly follow the added bytes.
   */
  #sum(at: PlacedFile, offset: number, bytes: Uint8Array): void {
    const sum = this.#sums.get(at) ?? { upTo: 0, crc32: 0 };
    if (sum.upTo !== offset) return;
    this.#sums.set(at, { upTo: offset + bytes.byteLength, crc32: crc32(bytes, sum.crc32) });
  }

  async #crcOf(at: PlacedFile): Promise<number> {
    if (at.member.crc32 !== null) return at.member.crc32;
    const upTo = () => this.#sums.get(at)?.upTo ?? 0;
    const buffer = upTo() < at.member.size ? Buffer.allocUnsafe(bytesPerRead) : null;
    while (buffer !== null && upTo() < at.member.size) await this.#readData(at, upTo(), buffer);
    return this.#sums.get(at)?.crc32 ?? 0;
  }

  /**
   * Opens a file, unless it is already open. Throws an error if the file has changed since this zip
   * was created, or if this zip is closed.
   */
  async #opened(at: PlacedFile): Promise<OpenedFile> {
    if (this.#open?.of === at) return this.#open.file;
    await this.#open?.file.close();
    this.#open = null;
    const file = await at.file.open();
    if (file === null || file.etag !== at.file.etag || this.#isClosed) {
      await file?.close();
      throw new Error(`${at.file.name} changed while it was read`);
    }
    this.#open = { of: at, file };
    return file;
  }

  async #readDirectory(): Promise<Buffer> {
    if (this.#directory === null) {
      const sums = new Map<PlacedFile, number>();
      for (const at of this.#files) sums.set(at, await this.#crcOf(at));
      this.#directory = this.#directoryOf((at) => sums.get(at) ?? 0);
    }
    return this.#directory;
  }

  #directoryOf(crcOf: (at: PlacedFile) => number): Buffer {
    const entries = this.#files.map((at) =>
      directoryEntry({
        ...at.member,
        crc32: crcOf(at),
        offset: at.start,
        hasDescriptor: at.hasDescriptor,
      }),
    );
    const size = entries.reduce((sum, entry) => sum + entry.length, 0);
    const end = directoryEnd({ count: entries.length, start: this.#directoryStart, size });
    return Buffer.concat([...entries, end]);
  }
}

/** Copies bytes from `offset` on. Returns the number of bytes copied. */
function copy(from: Buffer, offset: number, to: Uint8Array): number {
  return from.copy(to, 0, offset);
}

function newestOf(files: readonly FileToPack[]): bigint {
  let newest = 0n;
  for (const { mtimeNs } of files) if (mtimeNs > newest) newest = mtimeNs;
  return newest;
}
