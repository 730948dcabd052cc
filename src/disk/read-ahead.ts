import { type ImageBytes, MAX_READ } from './image-bytes.ts';

/**
 * Returns a file as an image that reads ahead. Small sequential reads are served from pieces of
 * `maxBytes` bytes. Other reads go directly to the file.
 */
export function readAhead(file: ImageBytes, maxBytes = MAX_READ): ImageBytes {
  let start = 0;
  let ahead: Buffer = Buffer.alloc(0);
  return {
    size: file.size,
    async read(offset, length) {
      const into = offset - start;
      if (into >= 0 && into <= ahead.length && into + length > ahead.length) {
        start = offset;
        const wanted = Math.max(length, Math.min(maxBytes, file.size - offset));
        ahead = await file.read(offset, wanted);
        return ahead.subarray(0, length);
      }
      const isAhead = into >= 0 && into + length <= ahead.length;
      return isAhead ? ahead.subarray(into, into + length) : file.read(offset, length);
    },
  };
}
