import { ZSTDDecoder } from 'zstddec';

const decoder = new ZSTDDecoder();

/** Loads the decoder. Must be awaited before the first call of `unpackZstd`. */
export async function prepareZstd(): Promise<void> {
  await decoder.init();
}

/**
 * Unpacks complete Zstandard frames to `size` bytes in total. May return fewer bytes if the frames
 * are damaged.
 */
export function unpackZstd(packed: Buffer, size: number): Buffer {
  const { buffer, byteOffset, length } = decoder.decode(packed, size);
  return Buffer.from(buffer, byteOffset, length);
}
