import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { rebuildSector } from '../../src/disk/containers/chd/ecc.ts';
import { runInChild } from '../child.ts';
import type { HashSpeeds, HashWork } from '../hash-work.ts';
import type { Bench, Row } from '../row.ts';

const mib = 1024 * 1024;
const imageBytes = 96 * mib;
const rawSector = 2352;
/** Size of the unit that a CHD of a CD compresses, in bytes. */
const hunk = 8 * rawSector;

/**
 * Measures the second pass of a scan on one file of each kind, in MB of the image per CPU second.
 * The reference does the same work with Node's zlib, CRC-32, MD5 and SHA-1 only.
 */
export const hashBench: Bench = {
  rows: ['hash-iso', 'hash-cso', 'hash-zip', 'hash-chd'],
  measure: async (work, isWanted) => {
    const rows: Row[] = [];
    for (const { name, what, minRatio, against, files } of makeImages(
      await work.folder('images'),
    )) {
      if (!isWanted(name)) continue;
      const { catalog, bare } = await runInChild<HashSpeeds>('hash-work.ts', files);
      rows.push({
        name,
        what: `hashing ${what}`,
        unit: 'MB/CPU-s',
        catalog,
        reference: bare,
        against,
        targets: [{ of: 'ratio', least: minRatio }],
      });
    }
    return rows;
  },
};

interface Work {
  readonly name: string;
  readonly what: string;
  /** Target: minimum ratio of the catalog's speed to the reference's speed. */
  readonly minRatio: number;
  readonly against: string;
  readonly files: HashWork;
}

/**
 * Writes one image in each measured format to `folder`. Leaves out the CHD if chdman is not
 * installed.
 */
export function makeImages(folder: string): Work[] {
  const image = Buffer.concat(Array.from({ length: imageBytes / 2048 }, createSector));
  const write = (name: string, bytes: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const iso = write('image.iso', image);
  const blocks = blocksOf(image, 2048);
  const deflated = deflateRawSync(image);
  const hashes = 'crc32, md5, sha1';
  return [
    {
      name: 'hash-iso',
      what: 'an ISO',
      minRatio: 0.9,
      against: hashes,
      files: { path: iso, bare: iso, blockLengths: null },
    },
    {
      name: 'hash-cso',
      what: 'a CSO',
      minRatio: 0.9,
      against: `inflate of as many blocks, ${hashes}`,
      files: {
        path: write('image.cso', cso(image.length, blocks)),
        bare: write('image.blocks', Buffer.concat(blocks)),
        blockLengths: blocks.map(({ length }) => length),
      },
    },
    {
      name: 'hash-zip',
      what: 'a zip',
      minRatio: 0.9,
      against: `inflate, ${hashes}`,
      files: {
        path: write('image.zip', zip(image, deflated)),
        bare: write('image.deflate', deflated),
        blockLengths: [deflated.length],
      },
    },
    ...cdWork(folder, image, write),
  ];
}

/** Returns the work for a CHD of a CD. Returns no work if chdman is not installed. */
function cdWork(
  folder: string,
  image: Buffer,
  write: (name: string, bytes: Buffer) => string,
): Work[] {
  const track = Buffer.concat(
    Array.from({ length: image.length / 2048 }, (_, index) => cdSector(image, index)),
  );
  const cue = 'FILE "track.bin" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n';
  write('track.bin', track);
  const path = join(folder, 'cd.chd');
  try {
    const args = ['createcd', '-i', write('cd.cue', Buffer.from(cue)), '-o', path, '-c', 'cdzl'];
    execFileSync('chdman', args, { stdio: 'ignore' });
  } catch {
    process.stderr.write('bench: no chdman: the row of a CHD is skipped\n');
    return [];
  }
  const blocks = blocksOf(track, hunk);
  return [
    {
      name: 'hash-chd',
      what: 'a CD in a CHD',
      minRatio: 0.7,
      against: 'inflate of as many blocks, crc32, md5, sha1',
      files: {
        path,
        bare: write('track.blocks', Buffer.concat(blocks)),
        blockLengths: blocks.map(({ length }) => length),
      },
    },
  ];
}

/** Returns a sector with an incompressible first half, as on a game disc. */
function createSector(): Buffer {
  return Buffer.concat([randomBytes(1024), Buffer.alloc(1024, 'repeats itself ')]);
}

function cdSector(image: Buffer, index: number): Buffer {
  const sector = Buffer.alloc(rawSector);
  sector.writeUInt32BE(index * 256 + 1, 12); // address of the sector, and mode 1
  image.copy(sector, 16, index * 2048, (index + 1) * 2048);
  rebuildSector(sector);
  return sector;
}

function blocksOf(image: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(image.length / size) }, (_, i) =>
    deflateRawSync(image.subarray(i * size, (i + 1) * size)),
  );
}

function cso(size: number, blocks: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(24 + 4 * (blocks.length + 1));
  header.write('CISO');
  header.writeUInt32LE(24, 4);
  header.writeBigUInt64LE(BigInt(size), 8);
  header.writeUInt32LE(2048, 16);
  header.writeUInt8(1, 20);
  let at = header.length;
  for (const [index, block] of blocks.entries()) {
    header.writeUInt32LE(at, 24 + 4 * index);
    at += block.length;
  }
  header.writeUInt32LE(at, 24 + 4 * blocks.length);
  return Buffer.concat([header, ...blocks]);
}

/** Returns a zip file with one member (APPNOTE.TXT 4.3). */
function zip(image: Buffer, packed: Buffer): Buffer {
  const name = Buffer.from('image.iso');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(image), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(image.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, Buffer.alloc(14), name]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
