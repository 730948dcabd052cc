import { crc32 } from 'node:zlib';

/** A file to store in a RAR. */
export interface StoredFile {
  readonly name: string;
  readonly content: Buffer;
  /** Adds flags to the header of the file. */
  readonly isEncrypted?: boolean;
  readonly isSplit?: boolean;
  /** Only for RAR 5: bits 10 to 13 of the compression information. */
  readonly dictionaryBits?: number;
  readonly method?: number;
}

/**
 * Makes a RAR of version 5 with stored files. The layout follows RARLAB's description of the
 * format.
 */
export function makeRar5(files: readonly StoredFile[], archiveFlags = 0): Buffer {
  const parts: Buffer[] = [Buffer.from('Rar!\x1a\x07\x01\x00', 'latin1')];
  parts.push(block5([1, 0, archiveFlags]));
  for (const file of files) {
    const { name, content, isEncrypted = false, isSplit = false } = file;
    const extra = isEncrypted ? Buffer.concat([Buffer.from([20, 1]), Buffer.alloc(19)]) : null;
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(content));
    const packing = ((file.method ?? 0) << 7) | ((file.dictionaryBits ?? 0) << 10);
    const flags = 2 | (extra ? 1 : 0) | (isSplit ? 0x10 : 0);
    const text = Buffer.from(name);
    parts.push(
      block5([
        2,
        flags,
        ...(extra ? [extra.length] : []),
        content.length,
        4,
        content.length,
        0o644,
        sum,
        packing,
        1,
        text.length,
        text,
        ...(extra ? [extra] : []),
      ]),
      content,
    );
  }
  parts.push(block5([5, 0, 0]));
  return Buffer.concat(parts);
}

/**
 * Makes a RAR of version 2.9 with stored files. The layout follows the technical note that came
 * with RAR 4.
 */
export function makeRar4(files: readonly StoredFile[], archiveFlags = 0): Buffer {
  const parts: Buffer[] = [Buffer.from('Rar!\x1a\x07\x00', 'latin1')];
  parts.push(block4(0x73, archiveFlags, Buffer.alloc(6)));
  for (const { name, content, isEncrypted = false, isSplit = false, method } of files) {
    const text = Buffer.from(name);
    const fields = Buffer.alloc(25);
    fields.writeUInt32LE(content.length, 0);
    fields.writeUInt32LE(content.length, 4);
    fields[8] = 3; // host OS: Unix
    fields.writeUInt32LE(crc32(content), 9);
    fields[17] = 29;
    fields[18] = 0x30 + (method ?? 0);
    fields.writeUInt16LE(text.length, 19);
    fields.writeUInt32LE(0o100644, 21);
    const flags = 0x8000 | (isEncrypted ? 4 : 0) | (isSplit ? 2 : 0);
    parts.push(block4(0x74, flags, Buffer.concat([fields, text])), content);
  }
  parts.push(block4(0x7b, 0x4000, Buffer.alloc(0)));
  return Buffer.concat(parts);
}

function block4(type: number, flags: number, fields: Buffer): Buffer {
  const header = Buffer.alloc(7);
  header[2] = type;
  header.writeUInt16LE(flags, 3);
  header.writeUInt16LE(7 + fields.length, 5);
  const whole = Buffer.concat([header, fields]);
  whole.writeUInt16LE(crc32(whole.subarray(2)) & 0xffff, 0);
  return whole;
}

function block5(fields: readonly (number | Buffer)[]): Buffer {
  const body = Buffer.concat(
    fields.map((field) => (typeof field === 'number' ? number7(field) : field)),
  );
  const header = Buffer.concat([Buffer.alloc(4), number7(body.length), body]);
  header.writeUInt32LE(crc32(header.subarray(4)), 0);
  return header;
}

/** Encodes a number in bytes of seven bits each, the lowest bits first. */
function number7(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 0x80);
  }
}
