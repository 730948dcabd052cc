import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { zipOf } from '../../imports/support/zip-file.ts';
import { testFirstOfEach } from '../../support/first-of-each.ts';
import { archiveKinds, type Files } from '../../support/images/archives.ts';
import { sound } from '../../support/images/cd-tracks.ts';
import { makeIso, pspIso } from '../../support/images/disc-images.ts';
import { blurayId } from '../../support/images/other-discs.ts';
import { makeCso, makeDax, makeRaw } from '../../support/images/packed-images.ts';
import { makeRar4, makeRar5 } from '../../support/images/rar.ts';
import { makeUdf } from '../../support/images/udf-images.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const xorrisoSkipReason = toolsSkipReason('xorriso');
const withXorriso = describe.skipIf(xorrisoSkipReason !== null);

const hashesOf = (bytes: Buffer) => ({
  size: bytes.length,
  crc32: crc32(bytes).toString(16).padStart(8, '0'),
  md5: createHash('md5').update(bytes).digest('hex'),
  sha1: createHash('sha1').update(bytes).digest('hex'),
});

const psx = (serial: string) =>
  makeIso({ 'SYSTEM.CNF': `BOOT = cdrom:\\${serial};1\r\n`, 'A.BIN': 'x'.repeat(300_000) });
const disc = xorrisoSkipReason === null ? makeRaw(psx('SLUS_012.34'), 2) : Buffer.alloc(0);
const sheet = 'FILE "disc.bin" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n';
const files: Files = {
  'a read me.txt': Buffer.from('read me'),
  'disc.bin': disc,
  'disc.cue': Buffer.from(sheet),
};

describe.each(archiveKinds)(
  'an archive: $label',
  ({ container, tools, directoryContent, isSingle, make }) => {
    const skipReason = toolsSkipReason('xorriso', ...tools);
    const inIt = isSingle ? ['disc.bin'] : Object.keys(files);

    test.skipIf(skipReason !== null)(
      `is identified, and its disc and members are hashed ${skipReason ?? ''}`,
      async () => {
        const path = folder.write(make(files, folder.path));
        const identity = await identifyFile(path);
        expect(identity).toMatchObject({ container, problem: null });
        const members = new Map(identity.members.map((member) => [member.name, member]));
        if (directoryContent === 'sums') {
          for (const name of inIt) {
            const { size, crc32: sum } = hashesOf(files[name] as Buffer);
            expect(members.get(name)).toEqual({ name, size, crc32: sum, hashes: null });
          }
        }
        if (directoryContent !== 'nothing') expect(identity.imageSize).toBe(disc.length);
        const { inside, tracks, ...hashes } = await hashImage(path, identity);
        expect(hashes).toEqual(hashesOf(disc));
        expect(inside).toMatchObject({
          disc: 'psx',
          serial: 'SLUS-01234',
          imageSize: disc.length,
          problem: null,
        });
        const found = inside?.members.map((member) => member.hashes?.sha1).sort();
        expect(found).toEqual(inIt.map((name) => hashesOf(files[name] as Buffer).sha1).sort());
      },
    );

    describe.skipIf(skipReason !== null)(`when cut anywhere ${skipReason ?? ''}`, () => {
      const cuts = { some: 3, many: 19 };
      testSomeAndMany('is reported or refused, at $count places', cuts, async (count) => {
        const whole = make(files, folder.path);
        for (let i = 1; i <= count; i += 1) {
          const end = Math.floor((whole.length * i) / (count + 1));
          const path = folder.write(whole.subarray(0, end), 'cut');
          const identity = await identifyFile(path);
          if (identity.problem !== null) continue;
          const hashing = hashImage(path, identity);
          await expect(hashing, `${end}`).rejects.toMatchObject({ kind: 'refused' });
        }
      });
    });
  },
);

withXorriso(`the first pass over an archive ${xorrisoSkipReason ?? ''}`, () => {
  test('reads the serial of the disc inside, unless much has to be unpacked for it', async () => {
    for (const { label, tools, canReadStart, make } of archiveKinds) {
      if (toolsSkipReason(...tools) !== null) continue;
      const { serial, disc: kind } = await folder.identify(make(files, folder.path));
      expect({ label, serial, kind }).toEqual({
        label,
        serial: canReadStart ? 'SLUS-01234' : null,
        kind: canReadStart ? 'psx' : null,
      });
    }
  });

  test('identifies none of several discs, and hashing lists them as evidence only', async () => {
    const other = makeRaw(psx('SLUS_056.78'), 2);
    for (const names of [
      ['a.bin', 'b.bin'],
      ['one (Track 1).bin', 'two (Track 1).bin'],
      // with one sheet, the two discs are detected only when the archive is unpacked
      ['a.bin', 'b.bin', 'a.cue'],
    ]) {
      const contents = [disc, other, Buffer.from(sheet)];
      const zip = zipOf(names.map((name, i) => ({ name, content: contents[i] as Buffer })));
      const path = folder.write(zip);
      const identity = await identifyFile(path);
      if (names.length === 2) expect(identity).toMatchObject({ serial: null, imageSize: null });
      const { inside } = await hashImage(path, identity);
      expect(inside).toMatchObject({ disc: null, serial: null, imageSize: null });
      expect(inside?.evidence['discs inside']).toBe('psx SLUS-01234, psx SLUS-05678');
    }
  });
});

withXorriso(`a packed image in an archive ${xorrisoSkipReason ?? ''}`, () => {
  const iso = xorrisoSkipReason === null ? pspIso() : Buffer.alloc(0);
  const chdmanSkipReason = toolsSkipReason('chdman');

  testFirstOfEach([
    ['CSO', (image: Buffer) => makeCso(image)],
    ['ZSO', (image: Buffer) => makeCso(image, { magic: 'ZISO' })],
    ['DAX', (image: Buffer) => makeDax(image)],
  ])('is hashed by the image inside the %s, in every kind of archive', async (_, pack) => {
    const packed = pack(iso);
    for (const { label, tools, make } of archiveKinds) {
      if (toolsSkipReason(...tools) !== null) continue;
      const path = folder.write(make({ 'a.cso': packed }, folder.path));
      const { inside, tracks, ...hashes } = await hashImage(path, await identifyFile(path));
      expect(hashes, label).toEqual(hashesOf(iso));
      expect(inside, label).toMatchObject({ disc: 'psp', serial: 'ULUS-10041' });
      const { size, crc32: sum } = hashesOf(packed);
      expect(inside?.members, label).toMatchObject([{ size, crc32: sum, hashes: hashesOf(iso) }]);
    }
  });

  test.skipIf(chdmanSkipReason !== null)(
    `is hashed by the image inside if it is a CHD ${chdmanSkipReason ?? ''}`,
    async () => {
      const source = folder.write(iso);
      const to = join(folder.path, 'made.chd');
      runTool('chdman', ['createraw', '-f', '-i', source, '-o', to, '-hs', '4096', '-us', '2048']);
      const path = folder.write(zipOf([{ name: 'a.chd', content: readFileSync(to) }]));
      const { inside, tracks, ...hashes } = await hashImage(path, await identifyFile(path));
      expect(hashes).toEqual(hashesOf(iso));
      expect(inside).toMatchObject({ disc: 'psp', serial: 'ULUS-10041', problem: null });
      expect(readdirSync(tmpdir()).filter((name) => name.startsWith('unpacked-'))).toEqual([]);
    },
  );

  test('is not searched for in an archive inside an archive', async () => {
    const inner = zipOf([{ name: 'a.iso', content: iso }]);
    const path = folder.write(zipOf([{ name: 'a.zip', content: inner }]));
    const { inside, ...hashes } = await hashImage(path, await identifyFile(path));
    expect(hashes).toEqual(hashesOf(inner));
    expect(inside).toMatchObject({ disc: null, serial: null });
  });
});

describe('refused archives', () => {
  const sevenZipSkipReason = toolsSkipReason('7z');
  const xzSkipReason = toolsSkipReason('xz');
  const zstdSkipReason = toolsSkipReason('zstd');
  const small = { name: 'a.bin', content: Buffer.from('some bytes') };
  const encrypted = 'it is encrypted: unpack it first';

  test.skipIf(sevenZipSkipReason !== null)(
    `include an encrypted 7z, also with encrypted names, and state the reason ${sevenZipSkipReason ?? ''}`,
    async () => {
      folder.write(small.content, 'a.bin');
      for (const options of [['-psecret'], ['-psecret', '-mhe=on']]) {
        const path = join(folder.path, `secret${options.length}.7z`);
        runTool('7z', ['a', '-bd', '-y', ...options, path, 'a.bin'], folder.path);
        const identity = await identifyFile(path);
        expect(identity.problem).toBe(encrypted);
        expect(identity.members).toHaveLength(options.length === 1 ? 1 : 0);
        await expect(hashImage(path, identity)).rejects.toThrow(encrypted);
      }
    },
  );

  test('include encrypted zip and RAR files and RAR volumes, and state the reason', async () => {
    const zip = zipOf([{ ...small, stated: { flags: 1 } }]);
    const locked = [{ ...small, isEncrypted: true }];
    for (const file of [zip, makeRar4(locked), makeRar5(locked), makeRar4([small], 0x80)]) {
      expect((await folder.identify(file)).problem).toBe(encrypted);
    }
    // the CRC-32 of an encrypted file may depend on the password
    expect((await folder.identify(makeRar5(locked))).members).toMatchObject([{ crc32: null }]);
    const volumes = [makeRar4([small], 1), makeRar5([small], 1)];
    for (const file of volumes) {
      expect((await folder.identify(file)).problem).toMatch('one of several volumes');
    }
    for (const file of [makeRar4([{ ...small, isSplit: true }])]) {
      expect((await folder.identify(file)).problem).toMatch('goes on in another volume');
    }
  });

  test('include those that need a dictionary over 64 MiB, and state the reason', async () => {
    const path = join(folder.path, 'large');
    const pack = (command: string) => execFileSync('sh', ['-c', `${command} > "${path}"`]);
    if (xzSkipReason === null) {
      for (const size of [70_000_000, 1000]) {
        pack(`head -c ${size} /dev/zero | xz -0 --lzma2=preset=0,dict=128MiB`);
        expect((await identifyFile(path)).problem).toBe(
          'it needs a dictionary of 128 MiB, of which at most 64 MiB are used',
        );
      }
      pack('head -c 1000 /dev/zero | xz -9');
      expect((await identifyFile(path)).problem).toBeNull();
    }
    if (zstdSkipReason === null) {
      pack('head -c 70000000 /dev/zero | zstd -q --long=27');
      expect((await identifyFile(path)).problem).toMatch('dictionary of 128 MiB');
    }
  });

  const many = 'are those with more than 10,000 files, also if only unpacking a tar shows them';
  test(many, { tags: ['full'] }, async () => {
    const path = folder.write(gzipSync(emptyTar(10_001)));
    const identity = await identifyFile(path);
    expect(identity).toMatchObject({ container: 'gz', members: [], problem: null });
    await expect(hashImage(path, identity)).rejects.toThrow('it holds more than 10000 files');
    const largest = folder.write(gzipSync(emptyTar(10_000)));
    const hashes = await hashImage(largest, await identifyFile(largest));
    expect(hashes.inside?.members).toHaveLength(10_000);
  });

  test('include those that claim contents over 128 GiB, and state the reason', async () => {
    const stated = { size: 0xfffffff0 };
    const many = Array.from({ length: 33 }, (_, i) => ({ name: `${i}.bin`, content: 'x', stated }));
    expect((await folder.identify(zipOf(many))).problem).toMatch('more than 128 GiB');
  });
});

const gzipSkipReason = toolsSkipReason('gzip');
describe('the archive reader', () => {
  test.skipIf(gzipSkipReason !== null)(
    `hashes the joined contents of a gzip with several members ${gzipSkipReason ?? ''}`,
    async () => {
      folder.write('first, which is longer than the second by far. '.repeat(3000), 'first');
      folder.write('second', 'second');
      const both = execFileSync('sh', ['-c', 'cat first | gzip -1; cat second | gzip'], {
        cwd: folder.path,
      });
      const path = folder.write(both);
      const { inside, ...hashes } = await hashImage(path, await identifyFile(path));
      const all = Buffer.concat([readFileSync(join(folder.path, 'first')), Buffer.from('second')]);
      expect(hashes).toEqual(hashesOf(all));
    },
  );
});

const xzSkipReason = toolsSkipReason('xz');
describe.skipIf(xzSkipReason !== null)(`an xz ${xzSkipReason ?? ''}`, () => {
  const content = Buffer.from('what is packed. '.repeat(5000));
  const xz = (options: string, from = 'content') =>
    execFileSync('sh', ['-c', `xz -c ${options} ${from}`], { cwd: folder.path });
  const read = async (bytes: Buffer) => {
    const path = folder.write(bytes, 'x.xz');
    const identity = await identifyFile(path);
    expect(identity.problem).toBeNull();
    const { inside, ...hashes } = await hashImage(path, identity);
    expect(inside?.problem).toBeNull();
    return { hashes, members: identity.members };
  };
  const { size, crc32: sum } = hashesOf(content);

  test.each([
    ['', null],
    ['--check=none', null],
    ['--check=sha256', null],
    ['--check=crc32', sum],
    ['--check=crc32 --block-size=20000', null],
  ])(
    'states the size of its content, and the CRC-32 if one covers all of it: xz %s',
    async (options, crc) => {
      folder.write(content, 'content');
      const { hashes, members } = await read(xz(options));
      expect(members).toEqual([{ name: '', size, crc32: crc, hashes: null }]);
      expect(hashes).toEqual(hashesOf(content));
    },
  );

  test('is read if it has several streams, with zeros between and after them', async () => {
    folder.write(content, 'content');
    folder.write('more', 'more');
    const streams = [xz('--check=crc32'), Buffer.alloc(8), xz('-0', 'more'), Buffer.alloc(4)];
    const { hashes, members } = await read(Buffer.concat(streams));
    expect(members).toMatchObject([{ size: size + 4, crc32: null }]);
    expect(hashes).toEqual(hashesOf(Buffer.concat([content, Buffer.from('more')])));
  });

  test('is not reported as cut if the disc inside is whole', async () => {
    const whole = makeUdf({ 'CERTIFICATE/id.bdmv': blurayId(7) });
    folder.write(whole, 'content');
    expect((await read(xz(''))).hashes).toEqual(hashesOf(whole));
  });

  test.skipIf(xorrisoSkipReason !== null)(
    `is reported as cut if the disc inside is cut ${xorrisoSkipReason ?? ''}`,
    async () => {
      folder.write(psx('SLUS_012.34').subarray(0, -2048), 'content');
      const path = folder.write(xz(''), 'x.xz');
      const { inside } = await hashImage(path, await identifyFile(path));
      expect(inside?.problem).toMatch(/^it is cut/);
    },
  );

  test('is reported as cut or damaged if it is shorter than any xz, or lacks its end', async () => {
    folder.write(content, 'content');
    for (const end of [20, -1, -13]) {
      const { problem } = await folder.identify(xz('').subarray(0, end));
      expect(problem, `${end}`).toMatch(/^it is (?:cut|damaged)/);
    }
  });
});

withXorriso(`an archived .bin of several tracks ${xorrisoSkipReason ?? ''}`, () => {
  const tracks = [disc, sound(310), sound(20)];
  const at = (sectors: number) =>
    `00:${String(Math.floor(sectors / 75)).padStart(2, '0')}:${String(sectors % 75).padStart(2, '0')}`;
  const cue = (bin: string) => {
    const [first = 0, second = 0] = tracks.map(({ length }) => length / 2352);
    return Buffer.from(
      `FILE "${bin}" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n` +
        `  TRACK 02 AUDIO\r\n    INDEX 00 ${at(first)}\r\n    INDEX 01 ${at(first + 150)}\r\n` +
        `  TRACK 03 AUDIO\r\n    INDEX 01 ${at(first + second)}\r\n`,
    );
  };
  const merged = Buffer.concat(tracks);
  const kinds = archiveKinds.filter(({ isSingle }) => !isSingle);

  for (const kind of kinds) {
    const skipReason = toolsSkipReason(...kind.tools);
    const title = `is hashed track by track, whether its sheet precedes or follows it: ${kind.label}`;
    test.skipIf(skipReason !== null)(`${title} ${skipReason ?? ''}`, async () => {
      for (const sheetName of ['a.cue', 'z.cue']) {
        const files = { 'm.bin': merged, [sheetName]: cue('M.BIN') };
        const ordered = sheetName < 'm' ? Object.entries(files).reverse() : Object.entries(files);
        const path = folder.write(kind.make(Object.fromEntries(ordered), folder.path));
        const { inside, ...hashes } = await hashImage(path, await identifyFile(path));
        expect(hashes).toEqual(hashesOf(merged));
        expect(inside).toMatchObject({ disc: 'psx', serial: 'SLUS-01234', problem: null });
        expect(inside?.tracks).toEqual(
          tracks.map((track, i) => {
            const { size, ...own } = hashesOf(track);
            return { number: i + 1, isAudio: i > 0, size, hashes: own };
          }),
        );
      }
    });
  }

  test('is not split next to other images, or if no sheet in the archive fits it', async () => {
    for (const files of [
      { 'm.bin': merged, 'm.cue': cue('m.bin'), 'other.bin': Buffer.alloc(5000) },
      { 'm.bin': merged },
      { 'm.bin': merged, 'm.cue': cue('other.bin') },
      { 'm.bin': merged.subarray(0, disc.length), 'm.cue': cue('m.bin') },
    ]) {
      const zip = zipOf(Object.entries(files).map(([name, content]) => ({ name, content })));
      const path = folder.write(zip);
      const { inside } = await hashImage(path, await identifyFile(path));
      expect(inside).toMatchObject({ tracks: [], problem: null });
    }
  });
});

/** Returns a tar with `files` empty files (POSIX ustar). */
function emptyTar(files: number): Buffer {
  const tar = Buffer.alloc((files + 2) * 512);
  for (let i = 0; i < files; i += 1) {
    const header = tar.subarray(i * 512, (i + 1) * 512);
    header.write(`f${i}`, 0);
    header.write('00000000000', 124);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((before, byte) => before + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0`, 148);
  }
  return tar;
}
