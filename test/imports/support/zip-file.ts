import { crc32, deflateRawSync } from 'node:zlib';

/** A member of a zip. Omitted fields get correct values. */
export interface Member {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** True if the member is stored instead of compressed. */
  readonly isStored?: boolean;
  /** Incorrect values to write to the central directory. */
  readonly stated?: {
    crc?: number;
    size?: number;
    packed?: number;
    flags?: number;
    method?: number;
  };
  /** True if `content` is already compressed. `stated` then contains its size and checksum. */
  readonly isPacked?: boolean;
}

/**
 * Returns a zip file, built as APPNOTE.TXT 4.3 specifies. The zip file can therefore contain
 * incorrect values.
 */
export function zipOf(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const name = Buffer.from(member.name);
    const content = Buffer.from(member.content);
    const isDeflated = !member.isStored;
    const packed = isDeflated && !member.isPacked ? deflateRawSync(content) : content;
    const { stated = {} } = member;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE((stated.flags ?? 0) | 0x800, 2);
    common.writeUInt16LE(stated.method ?? (isDeflated ? 8 : 0), 4);
    common.writeUInt32LE(stated.crc ?? crc32(content), 10);
    common.writeUInt32LE(stated.packed ?? packed.length, 14);
    common.writeUInt32LE(stated.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), version, common, rest, name);
    offset += 30 + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Math.min(members.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(members.length, 0xffff), 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
