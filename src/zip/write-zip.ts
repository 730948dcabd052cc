import { crc32 } from 'node:zlib';
import type { ZipMember } from '../core/covers/ports.ts';
import { refused } from '../core/shared/errors.ts';
import {
  descriptor,
  directoryEnd,
  directoryEntry,
  localHeader,
  maxUnknownSize,
  type WrittenMember,
} from './zip-records.ts';

/**
 * Implements `WriteZip`. Reads one member at a time, in bounded memory. Uses zip64 if the size of
 * the zip requires zip64.
 */
export async function* writeZip(members: readonly ZipMember[]): AsyncGenerator<Uint8Array> {
  const written: WrittenMember[] = [];
  let offset = 0;
  for (const { name, open } of members) {
    const member = { name: Buffer.from(name), size: null, crc32: null, modifiedMs: null };
    const header = localHeader(member);
    const sum = { size: 0, crc32: 0 };
    const bytes = await open();
    yield header;
    for await (const piece of bytes) {
      sum.size += piece.byteLength;
      sum.crc32 = crc32(piece, sum.crc32);
      if (sum.size > maxUnknownSize) throw refused(`${name} is too large for the zip`);
      yield piece;
    }
    const end = descriptor(sum);
    yield end;
    written.push({ ...member, ...sum, offset, hasDescriptor: true });
    offset += header.length + sum.size + end.length;
  }
  let size = 0;
  for (const member of written) {
    const entry = directoryEntry(member);
    size += entry.length;
    yield entry;
  }
  yield directoryEnd({ count: written.length, start: offset, size });
}
