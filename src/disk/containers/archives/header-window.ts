import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo } from '../../image-bytes.ts';

const WINDOW = 2048;

/**
 * Returns a function that reads `length` bytes of a file from offset `at`. The function reads at
 * least 2 KiB at a time and caches them, because headers are short and often close together. The
 * function throws a `CatalogError` of kind `refused` if the bytes are past the end of the file.
 */
export function headerWindow(file: ImageBytes): (at: number, length: number) => Promise<Buffer> {
  let start = 0;
  let bytes: Buffer = Buffer.alloc(0);
  return async (at, length) => {
    if (at < start || at + length > start + bytes.length) {
      if (at + length > file.size) throw refused('it is cut: a header is missing');
      bytes = await readUpTo(file, at, Math.max(length, WINDOW));
      start = at;
    }
    return bytes.subarray(at - start, at - start + length);
  };
}
