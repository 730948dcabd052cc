const SECTOR = 2048;

/**
 * Makes an Xbox partition with one program. A file and a folder with other names precede the
 * program.
 */
export function xiso(name: string, program: Buffer): Buffer {
  const image = Buffer.alloc(40 * SECTOR + Math.ceil(program.length / SECTOR) * SECTOR);
  image.write('MICROSOFT*XBOX*MEDIA', 0x10000, 'latin1');
  image.writeUInt32LE(33, 0x10000 + 20);
  image.writeUInt32LE(2 * SECTOR, 0x10000 + 24);
  const folderAt = 33 * SECTOR;
  image.fill(0xff, folderAt, folderAt + 2 * SECTOR);
  let at = folderAt;
  for (const [file, sector] of [
    ['media', 0],
    ['other.bin', 36],
    [name, 40],
  ] as const) {
    // an entry never crosses a sector boundary
    if (file === name) at = folderAt + SECTOR;
    image.fill(0, at, at + 14);
    image.writeUInt32LE(sector, at + 4);
    image.writeUInt32LE(program.length, at + 8);
    image[at + 13] = file.length;
    image.write(file, at + 14, 'latin1');
    at = Math.ceil((at + 14 + file.length) / 4) * 4;
  }
  program.copy(image, 40 * SECTOR);
  return image;
}

/** Makes an Xbox program with a certificate. */
export function xbe(id: number, title: string, regions: number): Buffer {
  const program = Buffer.alloc(0x1000);
  program.write('XBEH', 0, 'latin1');
  program.writeUInt32LE(0x10000, 0x104);
  program.writeUInt32LE(0x10178, 0x118);
  program.writeUInt32LE(id, 0x178 + 8);
  program.write(title, 0x178 + 12, 'utf16le');
  program.writeUInt32LE(regions, 0x178 + 0xa0);
  return program;
}

/** Makes an Xbox 360 program with execution information. */
export function xex(id: number, disc: number, count: number): Buffer {
  const program = Buffer.alloc(0x1000);
  program.write('XEX2', 0, 'latin1');
  program.writeUInt32BE(0x400, 0x10);
  program.writeUInt32BE(2, 0x14);
  program.writeUInt32BE(0x00010001, 0x18);
  program.writeUInt32BE(0x00040006, 0x20);
  program.writeUInt32BE(0x200, 0x24);
  program.writeUInt32BE(id, 0x200 + 12);
  program[0x200 + 18] = disc;
  program[0x200 + 19] = count;
  program.writeUInt32BE(0x00ff0000, 0x400 + 0x178);
  return program;
}

/** Makes a `PS3_DISC.SFB` with this title id. */
export function ps3Sfb(id: string): Buffer {
  const sfb = Buffer.alloc(0x600);
  sfb.write('.SFB', 0, 'latin1');
  sfb.write('HYBRID_FLAG', 0x20, 'latin1');
  sfb.write('TITLE_ID', 0x40, 'latin1');
  sfb.writeUInt32BE(0x220, 0x50);
  sfb.writeUInt32BE(16, 0x54);
  sfb.write(id, 0x220, 'latin1');
  return sfb;
}

/**
 * Makes the files of a Neo Geo CD. The program has this number, with one decimal digit in each half
 * byte.
 */
export function neoGeoFiles(number: number) {
  const program = Buffer.alloc(0x200);
  program.write('NEO-GEO', 0x100, 'latin1');
  program.writeUInt16BE(number, 0x108);
  return { 'IPL.TXT': 'FIX.FIX,0,0\r\nGAME.PRG,0,0\r\n\x1a', 'GAME.PRG': program };
}

/** Makes a disc of 40 KiB that contains only these texts, at the given offsets. */
export function plainDisc(fields: Readonly<Record<number, string>>): Buffer {
  const image = Buffer.alloc(20 * SECTOR);
  for (const [at, text] of Object.entries(fields)) image.write(text, Number(at), 'latin1');
  return image;
}

/** Makes a Blu-ray's `CERTIFICATE/id.bdmv`. Every byte of the id has this value. */
export function blurayId(byte: number): Buffer {
  const id = Buffer.alloc(0x3c);
  id.write('BDID0200', 0, 'latin1');
  id.fill(byte, 0x2c);
  return id;
}

/**
 * Makes the first track of a Jaguar CD's second session. The track looks like audio and has a
 * header some bytes after the start of its first sector.
 */
export function jaguarTrack(seed: string, { isSwapped = false, pregap = 0 } = {}): Buffer {
  const track = Buffer.alloc((pregap + 20) * 2352);
  const header = `${'ATRI'.repeat(16)}ATARI APPROVED DATA HEADER ATRI ${seed}`;
  track.write(header, pregap * 2352 + 2, 'latin1');
  return isSwapped ? track.swap16() : track;
}
