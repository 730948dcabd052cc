import { refused } from '../core/shared/errors.ts';

/** The most that one `read` gives, whatever a file says. */
export const MAX_READ = 1024 * 1024;

/** Random access to the bytes of an image, wherever they come from. */
export interface ImageBytes {
  readonly size: number;
  /**
   * Exactly `length` bytes, at most `MAX_READ`. Throws a refused `CatalogError` when the image ends before, or is
   * damaged there; I/O errors as they come.
   */
  read(offset: number, length: number): Promise<Buffer>;
  /** As `read`, all of a buffer of the caller's; where the bytes need not be made before. */
  readInto?(target: Buffer, offset: number): Promise<void>;
}

/** As `read`, but fewer bytes where the image ends. */
export async function readUpTo(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  return image.read(offset, Math.max(0, Math.min(length, image.size - offset)));
}

/** As `read`, but of any length, in pieces; what it gives is bounded by the image's own size. */
export async function readLong(image: ImageBytes, offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let done = 0; done < length; done += MAX_READ) {
    parts.push(await image.read(offset + done, Math.min(MAX_READ, length - done)));
  }
  return Buffer.concat(parts);
}

/** All of an image in its order, in pieces of `most` bytes, each of which counts only until the next one is asked for. */
export async function* piecesOnce(image: ImageBytes, most = MAX_READ): AsyncGenerator<Buffer> {
  if (image.readInto === undefined) return yield* piecesOf(image, most);
  const buffer = Buffer.allocUnsafe(Math.min(most, image.size));
  for (let at = 0; at < image.size; at += most) {
    const piece = buffer.subarray(0, image.size - at);
    await image.readInto(piece, at);
    yield piece;
  }
}

/** The same, in pieces that may be kept. */
export async function* piecesOf(image: ImageBytes, most = MAX_READ): AsyncGenerator<Buffer> {
  for (let at = 0; at < image.size; at += most) {
    yield await image.read(at, Math.min(most, image.size - at));
  }
}

/** A part of an image as an image of its own; reading it fails where it lies behind the image's end. */
export function sliceOf(image: ImageBytes, start: number, size: number): ImageBytes {
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      return image.read(start + offset, length);
    },
  };
}

/** Throws when the range is not inside the image. */
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

/** A 64-bit size that a header states, as a number. Throws when no file can be that large. */
export function statedSize(size: bigint): number {
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw refused(`it says to hold ${size} bytes, which cannot be`);
  }
  return Number(size);
}
