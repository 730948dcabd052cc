import { refused } from '../core/shared/errors.ts';

/** Maximum length of one `read` in bytes, whatever a file says. */
export const MAX_READ = 1024 * 1024;

/** Random access to the bytes of an image, whatever their source. */
export interface ImageBytes {
  readonly size: number;
  /**
   * Returns exactly `length` bytes, at most `MAX_READ`. Throws a refused `CatalogError` when the
   * image ends before, or is damaged there. I/O errors pass through.
   */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Like `read`, but fills a buffer of the caller. Present if the bytes can be written there
   * directly.
   */
  readInto?(target: Buffer, offset: number): Promise<void>;
}

/** Like `read`, but returns fewer bytes at the end of the image. */
export async function readUpTo(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  return image.read(offset, Math.max(0, Math.min(length, image.size - offset)));
}

/**
 * Like `read`, but for any length, read in pieces; the result is bounded by the image's own size.
 */
export async function readLong(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let done = 0; done < length; done += MAX_READ) {
    parts.push(await image.read(offset + done, Math.min(MAX_READ, length - done)));
  }
  return Buffer.concat(parts);
}

/**
 * Yields all of an image in order, in pieces of `most` bytes. Each piece is valid only until the
 * next one is requested.
 */
export async function* piecesOnce(image: ImageBytes, most = MAX_READ): AsyncGenerator<Buffer> {
  if (image.readInto === undefined) return yield* piecesOf(image, most);
  const buffer = Buffer.allocUnsafe(Math.min(most, image.size));
  for (let at = 0; at < image.size; at += most) {
    const piece = buffer.subarray(0, image.size - at);
    await image.readInto(piece, at);
    yield piece;
  }
}

/** Like `piecesOnce`, but the pieces may be kept. */
export async function* piecesOf(image: ImageBytes, most = MAX_READ): AsyncGenerator<Buffer> {
  for (let at = 0; at < image.size; at += most) {
    yield await image.read(at, Math.min(most, image.size - at));
  }
}

/** Returns a part of an image as an image; reading it fails past the end of the whole image. */
export function sliceOf(image: ImageBytes, start: number, size: number): ImageBytes {
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      return image.read(start + offset, length);
    },
  };
}

/** Throws a refused `CatalogError` when the range is not inside the image. */
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
 * Converts a 64-bit size from a header to a number. Throws a refused `CatalogError` when no file
 * can be that large.
 */
export function statedSize(size: bigint): number {
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refused(`it says to hold ${size} bytes, which cannot be`);
  }
  return Number(size);
}
