import { ZSTDDecoder } from 'zstddec';

const decoder = new ZSTDDecoder();

/** Must be awaited before the first `unpackZstd`. */
export async function prepareZstd(): Promise<void> {
  await decoder.init();
}

/**
 * Unpacks complete Zstandard frames of `size` bytes in total; fewer bytes when they are damaged.
 */
export function unpackZstd(packed: Buffer, size: number): Buffer {
  const { buffer, byteOffset, length } = decoder.decode(packed, size);
  return Buffer.from(buffer, byteOffset, length);
}
