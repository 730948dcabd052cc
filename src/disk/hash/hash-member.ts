import { crc32 } from 'node:zlib';
import { type Container, plainContainers, traitsOf } from '../../core/library/containers.ts';
import type { ArchiveMember, ImageTrack } from '../../core/library/identity.ts';
import type { TrackedHashes } from '../../core/library/library-file.ts';
import { refused } from '../../core/shared/errors.ts';
import { checksumMismatch } from '../../zip/read-entry.ts';
import { hex32 } from '../containers/archives/members.ts';
import type { UnpackedMember } from '../containers/archives/unpacked-member.ts';
import { withHead } from '../containers/archives/with-head.ts';
import { recogniseContainer } from '../containers/recognise.ts';
import { MAX_SHEET_BYTES } from '../containers/sheets/sheet.ts';
import { type Draft, newDraft } from '../draft.ts';
import { readInner } from '../identify.ts';
import { checkRange, type ImageBytes } from '../image-bytes.ts';
import type { ImageFile } from '../image-file.ts';
import type { InnerSheets } from '../inner-sheets.ts';
import { pullImage, readWhilePassing, type StreamImage } from '../unpack/stream-image.ts';
import { withSpooled } from '../unpack/unpack-spool.ts';
import { hashingTracks } from './hash-tracks.ts';

/** The functions and settings that `hashMember` uses. */
export interface Hashing {
  /** Hashes a stream of `size` bytes. `size` is infinite if the size is unknown. */
  hash(pieces: AsyncIterable<Buffer>, size: number): Promise<TrackedHashes>;
  /**
   * Opens the image inside a packed image that can be read sequentially. Returns null for any other
   * container.
   */
  openPacked(file: ImageBytes, container: Container): Promise<ImageBytes | null>;
  piecesOf(image: ImageBytes): AsyncIterable<Buffer>;
  /**
   * Returns true if the container can be read only with random access. A member must then be
   * unpacked to a file first.
   */
  needsFile(container: Container): boolean;
  hashFile(file: ImageFile, container: Container): Promise<TrackedHashes>;
  /** Folder for the members that must be unpacked to a file. */
  readonly spool: string;
}

/** The result of hashing a file in an archive. */
export interface HashedMember {
  readonly member: ArchiveMember;
  /**
   * Hashes of the file, or of the image inside if the file is a packed image. Includes tracks if a
   * sheet that was read earlier divides the image, or if the packed image states its tracks.
   */
  readonly hashes: TrackedHashes;
  readonly inner: Draft;
}

/** Containers of plain images. A sheet may divide such an image into tracks. */
export const plainImages: readonly Container[] = plainContainers.filter(
  (container) => traitsOf(container).isDivisible,
);

/**
 * Hashes a file in an archive. For a packed image, hashes the image inside. If the file is an
 * image, also identifies the disc. If the file is a sheet, adds the sheet to `sheets`. Throws a
 * `CatalogError` of kind `refused` if the file is damaged. I/O errors of the archive are rethrown.
 */
export async function hashMember(
  unpacked: UnpackedMember,
  hashing: Hashing,
  sheets: InnerSheets,
): Promise<HashedMember> {
  const { name, size: stated, crc32 } = unpacked;
  const { head, isWhole, all } = await withHead(unpacked.pieces, MAX_SHEET_BYTES + 1);
  const size = isWhole ? head.length : (stated ?? Infinity);
  const container = await recogniseContainer(startIn(head, size));
  if (isWhole) await sheets.add(name, startIn(head, size));
  const divided: ImageTrack[] = [];
  const tracks = plainImages.includes(container) ? sheets.tracksOf(name, size) : [];
  const pieces = tracks.length > 0 ? hashingTracks(all, tracks, divided) : all;
  const inside = await hashInside(pieces, size, container, hashing);
  const { own, inner } = inside;
  const hashes = tracks.length > 0 ? { ...inside.hashes, tracks: divided } : inside.hashes;
  if (crc32 !== null && own.crc32 !== crc32) throw refused(checksumMismatch);
  const { size: bytes, md5, sha1, crc32: sum, forms } = hashes;
  const member = { name, ...own, hashes: { size: bytes, crc32: sum, md5, sha1 }, forms };
  return { member, hashes, inner };
}

interface Inside {
  /**
   * Size and CRC-32 of the member itself. If the member is a packed image, `hashes` are those of
   * the image inside.
   */
  readonly own: { readonly size: number; readonly crc32: string };
  readonly hashes: TrackedHashes;
  readonly inner: Draft;
}

async function hashInside(
  pieces: AsyncIterable<Buffer>,
  size: number,
  container: Container,
  hashing: Hashing,
): Promise<Inside> {
  let inner = newDraft();
  const read = async (image: StreamImage) => {
    inner = await readInner(image);
    if (image.isOutOfReach) inner.problem = null;
  };
  if (hashing.needsFile(container)) {
    const own = new CountedSum();
    const hashes = await withSpooled(own.counting(pieces), hashing.spool, async (file) => {
      inner = await readInner(file);
      return hashing.hashFile(file, container);
    });
    inner.problem = hashes.damage ?? inner.problem;
    return { own: own.result(), hashes, inner };
  }
  const own = new CountedSum();
  const outer = pullImage(own.counting(pieces), size);
  const packed = await hashing.openPacked(outer, container);
  if (packed === null) {
    const hashes = await hashing.hash(readWhilePassing(pieces, size, read), size);
    return { own: { size: hashes.size, crc32: hashes.crc32 }, hashes, inner };
  }
  const inside = hashing.piecesOf(packed);
  const hashes = await hashing.hash(readWhilePassing(inside, packed.size, read), packed.size);
  await outer.drain();
  return { own: own.result(), hashes, inner };
}

/** Returns an image of `size` bytes. Only the bytes in `head` can be read. */
function startIn(head: Buffer, size: number): ImageBytes {
  const image = {
    size,
    async read(offset: number, length: number) {
      checkRange({ size: Math.min(size, head.length) }, offset, length);
      return head.subarray(offset, offset + length);
    },
  };
  return image;
}

/** Calculates the size and the CRC-32 of a stream while it passes through `counting`. */
class CountedSum {
  #size = 0;
  #sum = 0;

  async *counting(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#size += piece.length;
      this.#sum = crc32(piece, this.#sum);
      yield piece;
    }
  }

  result(): { size: number; crc32: string } {
    return { size: this.#size, crc32: hex32(this.#sum) };
  }
}
