import { randomBytes } from 'node:crypto';

const KIB = 1024;

/**
 * A dump of a cartridge. `bytes` are the dump as a tool wrote it, and `listed` is the form that a
 * DAT lists.
 */
export interface Dump {
  readonly what: string;
  readonly bytes: Buffer;
  readonly listed: Buffer;
}

/**
 * Returns one dump in each form that tools write. The dumps follow the descriptions of the formats
 * and have random contents.
 */
export function dumps(): Dump[] {
  const rom = randomBytes(64 * KIB);
  const nintendo64 = Buffer.concat([Buffer.from('80371240', 'hex'), randomBytes(64 * KIB - 4)]);
  const headed = (what: string, header: Buffer) => ({
    what,
    bytes: Buffer.concat([header, rom]),
    listed: rom,
  });
  return [
    headed('iNES', marked(16, 0, 'NES\x1a\x02\x01')),
    headed('NES 2.0', marked(16, 0, 'NES\x1a\x02\x01\x00\x08')),
    headed('FDS', marked(16, 0, 'FDS\x1a\x01')),
    headed('LNX', marked(64, 0, 'LYNX\0')),
    headed('A78', marked(128, 1, 'ATARI7800')),
    headed('SMC', Buffer.alloc(512)),
    headed('SWC', marked(512, 8, '\xaa\xbb\x04')),
    { what: 'SMD', bytes: smd(rom, '\xaa\xbb\x06'), listed: rom },
    smdWithoutMark(),
    { what: 'V64', bytes: Buffer.from(nintendo64).swap16(), listed: nintendo64 },
    { what: 'N64', bytes: Buffer.from(nintendo64).swap32(), listed: nintendo64 },
    trimmed('NDS trimmed of ones', nds(), 256 * KIB, 0xff),
    trimmed('NDS trimmed of zeros', nds(), 256 * KIB, 0),
    trimmed('GBA trimmed of ones', gba(), 1024 * KIB, 0xff),
    trimmed('GBA trimmed to less than half of its chip', gba(), 4096 * KIB, 0xff),
  ];
}

/**
 * Interleaves a ROM like the Super Magic Drive. Each block of 16 KiB has first the bytes with odd
 * offsets, then the bytes with even offsets.
 */
function smd(rom: Buffer, mark: string): Buffer {
  const blocks = Array.from({ length: rom.length / 16384 }, (_, index) => {
    const block = rom.subarray(index * 16384, (index + 1) * 16384);
    return Buffer.concat([
      block.filter((_byte, at) => at % 2),
      block.filter((_byte, at) => !(at % 2)),
    ]);
  });
  return Buffer.concat([marked(512, 8, mark), ...blocks]);
}

function smdWithoutMark(): Dump {
  const rom = randomBytes(32 * KIB);
  rom.write('SEGA MEGA DRIVE ', 0x100, 'latin1');
  return { what: 'SMD whose header has no mark', bytes: smd(rom, ''), listed: rom };
}

function trimmed(what: string, bytes: Buffer, size: number, byte: number): Dump {
  return { what, bytes, listed: Buffer.concat([bytes, Buffer.alloc(size - bytes.length, byte)]) };
}

/** Returns a trimmed dump of a chip of 256 KiB. */
function nds(): Buffer {
  const bytes = randomBytes(100 * KIB);
  bytes.writeUInt8(1, 0x14);
  bytes.writeUInt16LE(0xcf56, 0x15c);
  return bytes;
}

function gba(): Buffer {
  const bytes = randomBytes(300 * KIB);
  bytes[0xb2] = 0x96;
  const sum = bytes.subarray(0xa0, 0xbd).reduce((all, each) => all + each, 0x19);
  bytes[0xbd] = -sum & 0xff;
  return bytes;
}

function marked(size: number, at: number, mark: string): Buffer {
  const header = Buffer.alloc(size);
  header.write(mark, at, 'latin1');
  return header;
}
