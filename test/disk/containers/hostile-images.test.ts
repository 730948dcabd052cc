import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { unpackLz4 } from '../../../src/disk/containers/lz4.ts';
import { readDiscArt } from '../../../src/disk/disc-art.ts';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import {
  makeIso,
  nintendoImage,
  paramSfo,
  pspIso,
  randomPng,
  systemArea,
} from '../../support/images/disc-images.ts';
import {
  makeCso,
  makeDax,
  makePbp,
  makePsxPbp,
  makeRaw,
  makeRvz,
  packLz4,
} from '../../support/images/packed-images.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const MIB = 1024 * 1024;
const SECTOR = 2048;
const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso', 'chdman', 'zip');

/**
 * Identifies a file, reads its art and hashes it. The readers may refuse the file. Any other error
 * fails the test.
 */
async function readWithoutCrash(path: string, { hash = true } = {}) {
  const identity = await identifyFile(path);
  await readDiscArt(path);
  if (hash) {
    await hashImage(path, identity).catch((error: Error) => {
      if (error.name !== 'CatalogError') throw error;
    });
  }
  return identity;
}

/** Writes a file of `size` bytes. Only `start` uses disk space. */
function sparse(start: Buffer, size: number): string {
  const path = folder.write('');
  const fd = openSync(path, 'w');
  writeSync(fd, start);
  ftruncateSync(fd, size);
  closeSync(fd);
  return path;
}

/**
 * Records buffer allocations until the end of the test. Returns a function that returns the largest
 * requested size.
 */
function recordAllocations(): () => number {
  let largest = 0;
  const spies = (['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const).map((name) => {
    const allocate = Buffer[name] as (...args: readonly never[]) => Buffer;
    const recorded = (size: number, ...more: never[]) => {
      largest = Math.max(largest, size);
      return allocate(size as never, ...more);
    };
    return vi.spyOn(Buffer, name).mockImplementation(recorded as never);
  });
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => largest;
}

/** Returns the offset of the directory record of a file or folder in an image. */
function recordOf(iso: Buffer, name: string): number {
  return iso.indexOf(Buffer.from(name), 17 * SECTOR) - 33;
}

const files = new Map<string, Buffer>();

beforeAll(() => {
  const dreamcast = systemArea({ 0: 'SEGA SEGAKATANA ', 64: 'T-1216N' });
  const wii = nintendoImage('RMCE01', 'Karts', 'wii');
  const sfo = paramSfo({ DISC_ID: 'NPUH10091', TITLE: 'T' });
  files.set(
    'pbp',
    makePbp([sfo, randomPng(100), Buffer.alloc(0), randomPng(50), Buffer.from('more')]),
  );
  files.set('rvz', makeRvz(wii));
  files.set('wii', wii);
  files.set('dreamcast', dreamcast);
  files.set('cue', Buffer.from('FILE "x.bin" BINARY\n TRACK 01 MODE1/2352\n INDEX 01 00:00:00\n'));
  files.set('gdi', Buffer.from('1\n1 45000 4 2352 "x y.bin" 0\n'));
  if (skipReason !== null) return;
  const iso = pspIso({ icon: randomPng(3000) });
  const cnf = makeIso({ 'SYSTEM.CNF': 'BOOT = cdrom:\\SLUS_012.34;1' });
  files.set('psp', iso);
  files.set('ps1 raw', makeRaw(cnf, 2));
  const psxSfo = paramSfo({ DISC_ID: 'SLUS01234' });
  files.set('psx pbp', makePsxPbp(psxSfo, makeRaw(cnf, 2), undefined, 0x5000));
  files.set('cso', makeCso(iso));
  files.set('cso v2', makeCso(iso, { version: 2, shift: 2 }));
  files.set('zso', makeCso(iso, { magic: 'ZISO' }));
  files.set('dax', makeDax(iso, [[2, 3]]));
  const source = folder.write(iso, 'source.iso');
  runTool('chdman', [
    'createraw',
    '-i',
    source,
    '-o',
    `${source}.chd`,
    '-hs',
    '4096',
    '-us',
    '2048',
  ]);
  files.set('chd', readFileSync(`${source}.chd`));
  for (const [name, option] of [
    ['zip', '-6'],
    ['zip64', '-fz'],
  ] as const) {
    runTool('zip', [option, `${source}.${name}`, 'source.iso'], folder.path);
    files.set(name, readFileSync(`${source}.${name}`));
  }
});

describe(`the reader of sample images ${skipReason ?? ''}`, () => {
  test('recognises each intact sample, and finds no problem except in sheets', async () => {
    for (const [name, bytes] of files) {
      const { problem, container } = await readWithoutCrash(folder.write(bytes, 'case'));
      expect(container, name).not.toBe('unknown');
      if (container !== 'cue' && container !== 'gdi') expect(problem, name).toBeNull();
    }
  });

  test('never crashes on a file cut at 50 places, and reports most of the cuts', async () => {
    for (const [name, bytes] of files) {
      let problems = 0;
      for (let i = 0; i < 50; i += 1) {
        const cut = bytes.subarray(0, Math.floor((bytes.length * i) / 50));
        const { problem } = await readWithoutCrash(folder.write(cut, 'case'), {
          hash: i % 10 === 0,
        });
        if (problem !== null) problems += 1;
      }
      // a plain image states its size in its 17th sector or later, or not at all
      const least = { wii: 0, dreamcast: 0, psp: 38, 'ps1 raw': 5, gdi: 1, cue: 1 }[name] ?? 45;
      expect(problems, name).toBeGreaterThanOrEqual(least);
    }
  });

  const changed = 'never crashes with $count changed bytes of the header and elsewhere';
  testSomeAndMany(changed, { some: 31, many: 248 }, async (count) => {
    for (const [name, bytes] of files) {
      const places = [
        ...Array.from({ length: 128 }, (_, i) => i),
        ...Array.from({ length: 60 }, (_, i) => 16 * SECTOR + i * 4),
        ...Array.from({ length: 60 }, (_, i) => Math.floor((bytes.length * i) / 60)),
      ].filter((at, i) => at < bytes.length && i % (248 / count) === 0);
      for (const at of places) {
        const damaged = Buffer.from(bytes);
        damaged[at] = [0, 255, at * 31 + 7][at % 3] ?? 0;
        await readWithoutCrash(folder.write(damaged, 'case'), {
          hash: at % 16 === 0 && name !== 'zso',
        });
      }
    }
  });
});

describe('random noise', () => {
  const magics = [
    '',
    'CISO',
    'ZISO',
    'DAX\0',
    'MComprHD',
    'RVZ\x01',
    'WIA\x01',
    'PK\x03\x04',
    '\0PBP',
  ];
  const magicNoise = 'never crashes the reader, even after the magic of a format, $count times';
  testSomeAndMany(magicNoise, { some: 120, many: 600 }, async (count) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...magics, '\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0'),
        fc.uint8Array({ maxLength: 600 }),
        async (magic, noise) => {
          const bytes = Buffer.concat([Buffer.from(magic, 'latin1'), noise]);
          await readWithoutCrash(folder.write(bytes, 'case'));
        },
      ),
      { numRuns: count },
    );
  });

  const asDirectory = 'never crashes the reader as a volume descriptor and directory, $count times';
  testSomeAndMany(asDirectory, { some: 50, many: 200 }, async (count) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 300, maxLength: 4000 }), async (noise) => {
        const head = Buffer.from('\x01CD001\x01\0', 'latin1');
        const iso = Buffer.concat([Buffer.alloc(16 * SECTOR), head, noise], 24 * SECTOR);
        // the root folder consists of the noise itself
        iso.writeUInt32LE(17, 16 * SECTOR + 158);
        iso[16 * SECTOR + 157] = 0;
        iso[16 * SECTOR + 181] = 2;
        await readWithoutCrash(folder.write(iso, 'case'));
      }),
      { numRuns: count },
    );
  });

  test('is refused or unpacked within the stated size as LZ4, and restored after packing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(4096), (noise, size) => {
        try {
          expect(unpackLz4(Buffer.from(noise), size).length).toBeLessThanOrEqual(size);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
        const text = Buffer.concat([Buffer.from(noise), Buffer.from(noise), Buffer.alloc(99)]);
        const again = unpackLz4(packLz4(text), text.length);
        expect(again.equals(text)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the reader of hostile images', () => {
  test('allocates less than 32 MiB for extreme sizes and counts', async () => {
    const largest = recordAllocations();
    const all = Buffer.alloc(24, 0xff);
    for (const magic of ['CISO', 'ZISO', 'DAX\0', 'RVZ\x01', '\0PBP', 'MComprHD']) {
      const head = Buffer.from(magic, 'latin1');
      const path = sparse(Buffer.concat([head, all, all, all, all, all]), 64 * 1024 * MIB);
      expect((await readWithoutCrash(path, { hash: false })).problem, magic).not.toBeNull();
    }
    for (const [blockSize, count] of [
      [2048, 2 ** 33],
      [512 * 1024, 2 ** 33],
      [512, 2 ** 20],
    ] as const) {
      const cso = Buffer.alloc(24);
      cso.write('CISO', 0, 'latin1');
      cso.writeBigUInt64LE(BigInt(blockSize) * BigInt(count), 8);
      cso.writeUInt32LE(blockSize, 16);
      const path = sparse(cso, 64 * 1024 * MIB);
      expect((await readWithoutCrash(path)).problem).not.toBeNull();
    }
    expect(largest()).toBeGreaterThan(0);
    expect(largest()).toBeLessThan(32 * MIB);
  });

  test('reports a CSO or DAX whose index is cut', async () => {
    for (const packed of [makeCso(Buffer.alloc(9 * MIB)), makeDax(Buffer.alloc(9 * MIB))]) {
      const { problem } = await readWithoutCrash(folder.write(packed.subarray(0, 2000)));
      expect(problem).toMatch(/but its (index is|tables are) not whole/);
    }
  });

  test('allocates less than 32 MiB for a folder of 4 GiB that contains itself', async () => {
    const largest = recordAllocations();
    const pvd = Buffer.alloc(17 * SECTOR);
    pvd.write('\x01CD001\x01\0PSP GAME', 16 * SECTOR, 'latin1');
    pvd.writeUInt32LE(16, 16 * SECTOR + 158);
    pvd.writeUInt32LE(0xffffffff, 16 * SECTOR + 166);
    pvd[16 * SECTOR + 181] = 2;
    const huge = await readWithoutCrash(sparse(pvd, 64 * 1024 * MIB), { hash: false });
    expect(huge).toMatchObject({ container: 'iso', serial: null });
    expect(largest()).toBeGreaterThan(0);
    expect(largest()).toBeLessThan(32 * MIB);
  });

  test('reports a zip with more members than the limit', async () => {
    const entry = Buffer.alloc(47);
    entry.write('PK\x01\x02', 0, 'latin1');
    entry.writeUInt16LE(1, 28);
    entry.write('a', 46);
    const count = 60_000;
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 0, 'latin1');
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(4, 16);
    const start = Buffer.from('PK\x03\x04', 'latin1');
    const bytes = Buffer.concat([start, ...Array(count).fill(entry), end]);
    const identity = await readWithoutCrash(folder.write(bytes), { hash: false });
    expect(identity.members).toHaveLength(10_000);
    expect(identity.problem).toBe('it holds more than 10000 files');
  });

  test('reports a zip whose directory does not fit its file', async () => {
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 0, 'latin1');
    end.writeUInt16LE(65_535, 10);
    const identity = await readWithoutCrash(folder.write(end));
    expect(identity).toMatchObject({ container: 'zip', members: [] });
    expect(identity.problem).not.toBeNull();
  });

  test.skipIf(skipReason !== null)(
    `refuses a zip that unpacks to more than it states ${skipReason ?? ''}`,
    async () => {
      const bomb = Buffer.from(files.get('zip') ?? []);
      const central = bomb.lastIndexOf('PK\x01\x02', undefined, 'latin1');
      bomb.writeUInt32LE(10, central + 24);
      await expect(hashImage(folder.write(bomb), { container: 'zip' })).rejects.toMatchObject({
        kind: 'refused',
      });
    },
  );

  test('refuses a CSO with a block that unpacks to more than the block size', async () => {
    const image = Buffer.alloc(1024 * 1024, 'x');
    const bomb = deflateRawSync(Buffer.alloc(64 * MIB));
    const cso = makeCso(image, { blockSize: 512 * 1024 }, () => bomb);
    await expect(hashImage(folder.write(cso), { container: 'cso' })).rejects.toThrow(
      'a block cannot be unpacked',
    );
  });

  test('rejects LZ4 that copies from before its start or from its write position', () => {
    for (const distance of [0, 2, 65535]) {
      const block = Buffer.from([0x10, 0x41, distance & 255, distance >> 8]);
      expect(() => unpackLz4(block, 100), `${distance}`).toThrow(RangeError);
    }
    expect(unpackLz4(Buffer.from([0x10, 0x41, 1, 0]), 100).toString()).toBe('AAAAA');
  });

  test('reports a zip whose directory has almost 200 MB of comments', async () => {
    const path = folder.write('PK\x03\x04');
    const fd = openSync(path, 'r+');
    const entry = Buffer.alloc(47);
    entry.write('PK\x01\x02', 0, 'latin1');
    entry.writeUInt16LE(1, 28);
    entry.writeUInt16LE(65_535, 32);
    entry.write('a', 46);
    const count = 3000;
    const stride = entry.length + 65_535;
    for (let i = 0; i < count; i += 1) writeSync(fd, entry, 0, entry.length, 4 + i * stride);
    const end = Buffer.alloc(22);
    end.write('PK\x05\x06', 0, 'latin1');
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(4, 16);
    writeSync(fd, end, 0, end.length, 4 + count * stride);
    closeSync(fd);
    const identity = await readWithoutCrash(path, { hash: false });
    expect(identity.problem).toBe('it needs more reads than any real file');
    expect(identity.members.length).toBeLessThan(count);
  });

  test.skipIf(skipReason !== null)(
    `does not crash on extents that loop or point outside the image ${skipReason ?? ''}`,
    async () => {
      const good = files.get('psp') ?? Buffer.alloc(0);
      const at = (name: string, change: (iso: Buffer, record: number) => void) => {
        const iso = Buffer.from(good);
        const record = recordOf(iso, name);
        expect(record).toBeGreaterThan(16 * SECTOR);
        change(iso, record);
        return readWithoutCrash(folder.write(iso));
      };
      const root = good.readUInt32LE(16 * SECTOR + 158);
      const looping = await at('PSP_GAME', (iso, record) => iso.writeUInt32LE(root, record + 2));
      expect(looping).toMatchObject({ disc: 'psp', serial: 'ULUS-10041', title: null });
      const outside = await at('PARAM.SFO', (iso, record) =>
        iso.writeUInt32LE(0xfffffff0, record + 2),
      );
      expect(outside).toMatchObject({ disc: 'psp', serial: 'ULUS-10041', title: null });
      expect(outside.problem).toMatch('cut or points behind its end');
      const long = await at('PARAM.SFO', (iso, record) =>
        iso.writeUInt32LE(0xffffffff, record + 10),
      );
      expect(long.title).not.toBeNull();
      await at('UMD_DATA.BIN', (iso, record) => iso.writeUInt8(1, record));
      await at('UMD_DATA.BIN', (iso, record) => iso.writeUInt8(255, record + 32));
    },
  );

  test('does not crash on a PARAM.SFO with counts and offsets beyond its end', async () => {
    const sfo = paramSfo({ DISC_ID: 'NPUH10091', TITLE: 'T' });
    for (let at = 8; at + 4 <= sfo.length; at += 4) {
      const damaged = Buffer.from(sfo);
      damaged.writeUInt32LE(0xffffffff, at);
      await readWithoutCrash(folder.write(makePbp([damaged]), 'case'));
    }
  });

  test('does not crash on a sheet that names itself or a FIFO, or has 1,500 tracks', async () => {
    const self = 'FILE "self.cue" BINARY\n TRACK 01 MODE1/2048\n INDEX 01 00:00:00\n';
    expect(await readWithoutCrash(folder.write(self, 'self.cue'))).toMatchObject({ disc: null });
    const many = self.repeat(1500);
    expect(await readWithoutCrash(folder.write(many, 'self.cue'))).toMatchObject({
      container: 'cue',
    });
    const fifo = join(folder.path, 'fifo');
    execFileSync('mkfifo', [fifo]);
    const { problem } = await readWithoutCrash(folder.write(self.replace('self.cue', 'fifo')));
    expect(problem).toBe('it is no regular file');
  });
});

describe('the file access of the image reader', () => {
  test('throws ENOENT for a missing file, and the reason for a folder or device', async () => {
    await expect(identifyFile(join(folder.path, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(identifyFile(folder.path)).rejects.toThrow('it is no regular file');
    await expect(identifyFile('/dev/zero')).rejects.toThrow('it is no regular file');
  });

  test('leaves no file open', async () => {
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        const file = join('/proc/self/fd', fd);
        return existsSync(file) && readlinkSync(file).startsWith(folder.path);
      });
    for (const bytes of files.values()) {
      const path = folder.write(bytes, 'case');
      await readWithoutCrash(path);
      expect(open(), path).toEqual([]);
    }
  });
});
