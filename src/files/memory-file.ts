import { Readable } from 'node:stream';
import type { OpenedFile, StoredFile } from '../core/shared/files/file-area.ts';

/** Returns bytes in memory as an open file. */
export function memoryFile(bytes: Uint8Array, metadata: StoredFile): OpenedFile {
  return {
    ...metadata,
    head: async (length) => bytes.subarray(0, length),
    async read(buffer, position) {
      const wanted = bytes.subarray(position, position + buffer.byteLength);
      buffer.set(wanted);
      return wanted.byteLength;
    },
    stream: ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)]),
    close: async () => undefined,
  };
}
