import { refused } from '../core/shared/errors.ts';

/** Maximum length of one `read`, in bytes. The limit also applies to lengths that a file states. */
export const MAX_READ = 1024 * 1024;

/**
 * Random access to the bytes of an image. The image may be a file, unpacked content, or a part of
 * another image.
 */
export interface ImageBytes {
  readonly size: number;
  /**
   * Returns exactly `length` bytes from `offset` on. `length` must be at most `MAX_READ`. Throws a
   * `CatalogError` of kind `refused` if the image ends earlier, or is damaged in this range. I/O
   * errors are rethrown.
   */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Like `read`, but fills `target`. An image has this method only if it can write to `target`
   * directly, without copying.
   */
  readInto?(target: Buffer, offset: number): Promise<void>;
}

/** Like `read`, but returns fewer bytes at the end of the image. */
export async function readUpTo(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  return image.read(offset, Math.max(0, Math.min(length, image.size - offset)));
}

/**
 * Like `read`, but for any length. Reads in pieces, so a false length fails at the end of the
 * image.
 */
export async function readLong(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let done = 0; done < length; done += MAX_READ) {
    parts.push(await image.read(offset + done, Math.min(MAX_READ, length - done)));
  }
  return Buffer.concat(parts);
}

/**
 * Yields a whole image in order, in pieces of at most `maxBytes` bytes. Each piece is valid only
 * until the next piece is requested.
 */
export async function* piecesInOneBuffer(
  image: ImageBytes,
  maxBytes = MAX_READ,
): AsyncGenerator<Buffer> {
  if (image.readInto === undefined) return yield* piecesOf(image, maxBytes);
  const buffer = Buffer.allocUnsafe(Math.min(maxBytes, image.size));
  for (let at = 0; at < image.size; at += maxBytes) {
    const piece = buffer.subarray(0, image.size - at);
    await image.readInto(piece, at);
    yield piece;
  }
}

/** Like `piecesInOneBuffer`, but every piece stays valid, so the caller may retain it. */
export async function* piecesOf(image: ImageBytes, maxBytes = MAX_READ): AsyncGenerator<Buffer> {
  for (let at = 0; at < image.size; at += maxBytes) {
    yield await image.read(at, Math.min(maxBytes, image.size - at));
  }
}

/**
 * Returns a part of an image as an image. The part may extend past the end of the whole image.
 * Reading past the end fails.
 */
export function sliceOf(image: ImageBytes, start: number, size: number): ImageBytes {
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      return image.read(start + offset, length);
    },
  };
}

/**
 * Throws a `CatalogError` of kind `refused` if the range is not inside the image, or is longer than
 * `MAX_READ` bytes.
 */
export function checkRange(image: { size: number }, offset: number, length: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0 || length < 0 || length > MAX_READ) {
    throw refused(`it points at ${length} bytes at ${offset}, which cannot be`);
  }
  if (offset + length > image.size) {
    throw refused(
      `it is cut or points behind its end: ${length} bytes at ${offset} of ${image.size}`,
    );
  }
}

/**
 * Converts a 64-bit size from a header to a number. Throws a `CatalogError` of kind `refused` if
 * the size is 2^53 or more, because no file is so large.
 */
export function statedSize(size: bigint): number {
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refused(`it says to hold ${size} bytes, which cannot be`);
  }
  return Number(size);
}
