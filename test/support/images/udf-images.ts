const SECTOR = 2048;
/** Sector numbers in the image: the volume descriptors, the anchor and the partition. */
const VOLUME = 32;
const ANCHOR = 256;
const PARTITION = 272;
/** Block number in the partition at which the content of files starts. */
const CONTENT = 96;
const IN_PARTITION = 192;

interface UdfOptions {
  /**
   * Block numbers of the parts of a metadata partition within the main partition, as in UDF 2.50
   * (Blu-ray). The metadata partition then contains the file entries and folders. If empty, there
   * is only the main partition with fixed positions (DVD).
   */
  readonly metadata?: readonly number[];
  readonly volid?: string;
}

/**
 * Makes an image with UDF and without ISO 9660. The keys of `files` are paths. A folder takes up at
 * most one block.
 * The image follows ECMA-167, 3rd edition, and OSTA UDF 2.50, because no tool of Debian makes a
 * metadata partition. `7z l` can list an image with a metadata partition in one part.
 */
export function makeUdf(
  files: Readonly<Record<string, Buffer>>,
  { metadata = [16], volid = 'A FILM' }: UdfOptions = {},
): Buffer {
  const hasMetadata = metadata.length > 0;
  const part = metadata.length === 1 ? 16 : 2;
  const image = Buffer.alloc((PARTITION + IN_PARTITION) * SECTOR);
  for (const [at, name] of ['BEA01', 'NSR03', 'TEA01'].entries()) {
    image.write(`\0${name}\x01`, (16 + at) * SECTOR, 'latin1');
  }
  /** Returns the sector number of a block of the partition that contains the file system. */
  const sectorOf = (block: number) => {
    if (!hasMetadata) return PARTITION + 32 + block;
    return PARTITION + (metadata[Math.floor(block / part)] ?? 0) + (block % part);
  };
  const writeTagged = (kind: number, block: number, body: Buffer) =>
    tagged(kind, hasMetadata ? block : 32 + block, body).copy(image, sectorOf(block) * SECTOR);
  const own = hasMetadata ? 1 : 0;
  const first = hasMetadata ? 0 : 32;

  describeVolume(image, { volid, hasMetadata, fileSet: longExtent(2 * SECTOR, first, own) });
  if (hasMetadata) {
    const parts = metadata.map((block) => shortExtent(part * SECTOR, block));
    const size = metadata.length * part * SECTOR;
    tagged(266, 0, entry(250, size, 0, Buffer.concat(parts))).copy(image, PARTITION * SECTOR);
  }
  const set = Buffer.alloc(496);
  longExtent(SECTOR, first + 1, own).copy(set, 384);
  writeTagged(256, 0, set);

  let nextBlock = 2;
  let nextContent = CONTENT;
  const writeFolder = (block: number, prefix: string) => {
    const names = new Set(
      Object.keys(files)
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length).split('/')[0] ?? ''),
    );
    const records = [fileName('', first + block, 10)];
    for (const name of names) {
      const content = files[prefix + name];
      const at = nextBlock;
      nextBlock += 1;
      records.push(fileName(name, first + at, content === undefined ? 2 : 0));
      if (content === undefined) writeFolder(at, `${prefix}${name}/`);
      else {
        content.copy(image, (PARTITION + nextContent) * SECTOR);
        writeTagged(
          266,
          at,
          entry(5, content.length, 1, longExtent(content.length, nextContent, 0)),
        );
        nextContent += Math.ceil(content.length / SECTOR);
      }
    }
    // form 3: the content is in the file entry itself
    const listed = Buffer.concat(records);
    writeTagged(266, block, entry(4, listed.length, 3, listed));
  };
  writeFolder(1, '');
  return image;

  function fileName(name: string, block: number, kind: number): Buffer {
    const text = name === '' ? Buffer.alloc(0) : named(name);
    const body = Buffer.alloc(Math.ceil((38 + text.length) / 4) * 4 - 16);
    body.writeUInt16LE(1, 0);
    body[2] = kind;
    body[3] = text.length;
    longExtent(SECTOR, block, own).copy(body, 4);
    text.copy(body, 22);
    return tagged(257, block, body);
  }
}

function describeVolume(
  image: Buffer,
  { volid, hasMetadata, fileSet }: { volid: string; hasMetadata: boolean; fileSet: Buffer },
): void {
  const write = (kind: number, sector: number, body: Buffer) =>
    tagged(kind, sector, body).copy(image, sector * SECTOR);
  const anchor = Buffer.alloc(496);
  anchor.writeUInt32LE(16 * SECTOR, 0);
  anchor.writeUInt32LE(VOLUME, 4);
  for (const sector of [ANCHOR, image.length / SECTOR - 1]) write(2, sector, anchor);
  write(1, VOLUME, Buffer.alloc(496));

  const volume = Buffer.alloc(424 + 6 + (hasMetadata ? 64 : 0));
  volume[68 + 127] = named(volid).copy(volume, 68);
  volume.writeUInt32LE(SECTOR, 196);
  volume.write('*OSTA UDF Compliant', 201, 'latin1');
  volume.writeUInt16LE(hasMetadata ? 0x250 : 0x102, 224);
  fileSet.copy(volume, 232);
  volume.writeUInt32LE(volume.length - 424, 248);
  volume.writeUInt32LE(hasMetadata ? 2 : 1, 252);
  volume.set([1, 6, 1], 424);
  if (hasMetadata) {
    volume.set([2, 64], 430);
    volume.write('*UDF Metadata Partition', 435, 'latin1');
    volume.writeUInt16LE(0x250, 458);
    volume.writeUInt16LE(1, 466);
    volume.writeUInt32LE(0xffffffff, 474);
    volume.writeUInt32LE(0xffffffff, 478);
    volume.writeUInt32LE(1, 482);
  }
  write(6, VOLUME + 1, volume);

  const partition = Buffer.alloc(496);
  partition.writeUInt16LE(1, 4);
  partition.write('+NSR03', 9, 'latin1');
  partition.writeUInt32LE(1, 168);
  partition.writeUInt32LE(PARTITION, 172);
  partition.writeUInt32LE(IN_PARTITION, 176);
  write(5, VOLUME + 2, partition);
  write(8, VOLUME + 3, Buffer.alloc(496));
}

/**
 * Encodes a name with one byte per character. If a character does not fit one byte, encodes all
 * characters with two bytes (UDF 2.1.1).
 */
function named(text: string): Buffer {
  const isNarrow = Buffer.from(text, 'latin1').toString('latin1') === text;
  if (isNarrow) return Buffer.from(`\x08${text}`, 'latin1');
  return Buffer.concat([Buffer.of(16), Buffer.from(text, 'utf16le').swap16()]);
}

/**
 * Returns an extended file entry without its tag. `form` is the type of the allocation descriptors
 * in `extents`.
 */
function entry(type: number, size: number, form: number, extents: Buffer): Buffer {
  const body = Buffer.alloc(200 + extents.length);
  body.writeUInt16LE(4, 4);
  body.writeUInt16LE(1, 8);
  body[11] = type;
  body.writeUInt16LE(form, 18);
  body.writeUInt16LE(1, 32);
  body.writeBigUInt64LE(BigInt(size), 40);
  body.writeBigUInt64LE(BigInt(size), 48);
  body.writeUInt32LE(extents.length, 196);
  extents.copy(body, 200);
  return body;
}

function shortExtent(size: number, block: number): Buffer {
  return longExtent(size, block, 0).subarray(0, 8);
}

function longExtent(size: number, block: number, partition: number): Buffer {
  const extent = Buffer.alloc(16);
  extent.writeUInt32LE(size, 0);
  extent.writeUInt32LE(block, 4);
  extent.writeUInt16LE(partition, 8);
  return extent;
}

/**
 * Returns a descriptor with its tag of 16 bytes, in little-endian format:
 * - offset 0, 2 bytes: kind
 * - offset 2, 2 bytes: version, 3
 * - offset 4, 1 byte: checksum of the tag
 * - offset 8, 2 bytes: CRC of `body`
 * - offset 10, 2 bytes: length of `body`
 * - offset 12, 4 bytes: position of the descriptor, `place`
 */
function tagged(kind: number, place: number, body: Buffer): Buffer {
  const tag = Buffer.alloc(16);
  tag.writeUInt16LE(kind, 0);
  tag.writeUInt16LE(3, 2);
  tag.writeUInt16LE(crc(body), 8);
  tag.writeUInt16LE(body.length, 10);
  tag.writeUInt32LE(place, 12);
  tag[4] = tag.reduce((sum, byte) => sum + byte, 0) % 256;
  return Buffer.concat([tag, body]);
}

/** Returns the CRC-16 with the polynomial 0x11021 and the initial value 0 (ECMA-167, 1/7.2.6). */
function crc(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return sum;
}
