// Encodes the records of a zip that is written in order: no written byte changes later. Source:
// PKWARE APPNOTE 6.3.10, 4.3 and 4.5.3 (zip64).

/** A file in a zip. */
export interface Member {
  /** Path in UTF-8, with `/` between folders. */
  readonly name: Buffer;
  /**
   * Size in bytes. Null if the size is unknown until the file is written (see `maxUnknownSize`).
   */
  readonly size: number | null;
  /**
   * CRC-32 of the file. Null if the CRC-32 is unknown until the file is written. A descriptor then
   * follows the file.
   */
  readonly crc32: number | null;
  /** Modification time in milliseconds since 1970. Null for none. */
  readonly modifiedMs: number | null;
  /** True if the file is compressed (deflated). In a local header, `size` must then be null. */
  readonly isCompressed?: boolean;
}

/** A file that was written into a zip, with the offset of its local header in bytes. */
export interface WrittenMember extends Member {
  readonly size: number;
  /** Size of the stored bytes in the zip. The default is `size`. */
  readonly packedSize?: number;
  readonly crc32: number;
  readonly offset: number;
  readonly hasDescriptor: boolean;
}

/** Maximum size, in bytes, of a file whose size is unknown until it is written. */
export const maxUnknownSize = 0xffff_fffe;

const large = 0xffff_ffff;
const deflated = 8;
const flagUtf8 = 0x800;
const flagDescriptor = 0x8;
/** `version needed to extract`: 2.0, or 4.5 for zip64. */
const versions = { plain: 20, zip64: 45 };
/** `version made by`: Unix. Programs use `fileMode` only with this value. */
const madeBy = (3 << 8) | versions.zip64;
/** Mode of a regular file (0644), in the upper half of the external attributes. */
const fileMode = 0o100644 * 0x10000;
/** The date 1980-01-01, for files without a time. */
const noDate = 0x21;

/** Returns true if a file needs a descriptor after its bytes. */
export function needsDescriptor({ size, crc32 }: Member): boolean {
  return size === null || crc32 === null;
}

/** Returns the record that precedes the bytes of a file. */
export function localHeader(member: Member): Buffer {
  const { name, modifiedMs } = member;
  const size = member.size ?? 0;
  const isLarge = size >= large;
  const extra = Buffer.concat([isLarge ? zip64Extra([size, size]) : none, timeExtra(modifiedMs)]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(isLarge ? versions.zip64 : versions.plain, 4);
  header.writeUInt16LE(flagUtf8 | (needsDescriptor(member) ? flagDescriptor : 0), 6);
  header.writeUInt16LE(member.isCompressed ? deflated : 0, 8);
  writeDosTime(header, 10, modifiedMs);
  header.writeUInt32LE(needsDescriptor(member) ? 0 : (member.crc32 ?? 0), 14);
  header.writeUInt32LE(Math.min(size, large), 18);
  header.writeUInt32LE(Math.min(size, large), 22);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

/** Returns the record after the bytes of a file for which `needsDescriptor` is true. */
export function descriptor({
  size,
  crc32,
  packedSize = size,
}: {
  readonly size: number;
  readonly crc32: number;
  readonly packedSize?: number;
}): Buffer {
  const record = Buffer.alloc(descriptorLength(size));
  record.writeUInt32LE(0x08074b50, 0);
  record.writeUInt32LE(crc32, 4);
  for (const [at, bytes] of [packedSize, size].entries()) {
    if (size >= large) record.writeBigUInt64LE(BigInt(bytes), 8 + 8 * at);
    else record.writeUInt32LE(bytes, 8 + 4 * at);
  }
  return record;
}

/** Returns the length of a descriptor in bytes. */
export function descriptorLength(size: number): number {
  return size >= large ? 24 : 16;
}

/** Returns the entry of a file in the directory. */
export function directoryEntry(member: WrittenMember): Buffer {
  const { name, size, packedSize = size, crc32, offset, modifiedMs, hasDescriptor } = member;
  const wide = [...(size >= large ? [size, packedSize] : []), ...(offset >= large ? [offset] : [])];
  const extra = Buffer.concat([zip64Extra(wide), timeExtra(modifiedMs)]);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(madeBy, 4);
  entry.writeUInt16LE(wide.length > 0 ? versions.zip64 : versions.plain, 6);
  entry.writeUInt16LE(flagUtf8 | (hasDescriptor ? flagDescriptor : 0), 8);
  entry.writeUInt16LE(member.isCompressed ? deflated : 0, 10);
  writeDosTime(entry, 12, modifiedMs);
  entry.writeUInt32LE(crc32, 16);
  entry.writeUInt32LE(size >= large ? large : packedSize, 20);
  entry.writeUInt32LE(Math.min(size, large), 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(fileMode, 38);
  entry.writeUInt32LE(Math.min(offset, large), 42);
  return Buffer.concat([entry, name, extra]);
}

/** Returns the end of a zip. `start` and `size` are those of the directory, in bytes. */
export function directoryEnd(directory: { count: number; start: number; size: number }): Buffer {
  const { count, start, size } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(Math.min(count, 0xffff), at);
  end.writeUInt32LE(Math.min(size, large), 12);
  end.writeUInt32LE(Math.min(start, large), 16);
  const isLarge = count >= 0xffff || start >= large || size >= large;
  return isLarge ? Buffer.concat([zip64End(directory), end]) : end;
}

function zip64End({ count, start, size }: { count: number; start: number; size: number }): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4); // length of the rest of this record
  end.writeUInt16LE(madeBy, 12);
  end.writeUInt16LE(versions.zip64, 14);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(count), at);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(start + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}

const none = Buffer.alloc(0);

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return none;
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(0x0001, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * at);
  return extra;
}

/**
 * Returns the extended timestamp of a file. Unlike the DOS time, it is defined to be in UTC.
 * Returns an empty buffer if there is no time, or if the time does not fit in 31 bits.
 */
function timeExtra(modifiedMs: number | null): Buffer {
  const seconds = Math.floor((modifiedMs ?? 0) / 1000);
  if (modifiedMs === null || seconds < 0 || seconds > 0x7fff_ffff) return none;
  const extra = Buffer.alloc(9);
  extra.writeUInt16LE(0x5455, 0);
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4); // only the modification time
  extra.writeInt32LE(seconds, 5);
  return extra;
}

/**
 * Writes the DOS time and date of a file, in UTC. For a time before 1980 or after 2107, or for no
 * time, writes `noDate`.
 */
function writeDosTime(record: Buffer, at: number, modifiedMs: number | null): void {
  const date = new Date(modifiedMs ?? 0);
  const years = date.getUTCFullYear() - 1980;
  const isValid = years >= 0 && years < 128;
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = (years << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  record.writeUInt16LE(isValid ? time : 0, at);
  record.writeUInt16LE(isValid ? day : noDate, at + 2);
}
