import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { openChdImages } from '../../../src/disk/containers/chd/chd.ts';
import { readDiscArt } from '../../../src/disk/disc-art.ts';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { type ImageBytes, piecesOf } from '../../../src/disk/image-bytes.ts';
import { openImageFile } from '../../../src/disk/image-file.ts';
import { testFirstOfEach } from '../../support/first-of-each.ts';
import { sound, withCorrection } from '../../support/images/cd-tracks.ts';
import { type ChdForm, frames, makeChd, makeOldChd } from '../../support/images/chd.ts';
import { makeIso, pspIso, systemArea } from '../../support/images/disc-images.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso', 'chdman');
const withTools = describe.skipIf(skipReason !== null);

const hashesOf = (bytes: Buffer) => ({
  size: bytes.length,
  crc32: crc32(bytes).toString(16).padStart(8, '0'),
  md5: createHash('md5').update(bytes).digest('hex'),
  sha1: createHash('sha1').update(bytes).digest('hex'),
});
const trackOf = (number: number, bytes: Buffer, isAudio: boolean) => {
  const { size, ...hashes } = hashesOf(bytes);
  return { number, isAudio, size, hashes };
};

/** Some of this data is compressible, some repeats, and some is noise. */
const mixed = Buffer.concat([
  Buffer.alloc(70_000, 'something that repeats. '),
  randomBytes(30_000),
  Buffer.alloc(50_000),
  sound(20),
  randomBytes(5001),
]);

function chdman(command: string, source: string, name: string, options: readonly string[] = []) {
  const chd = join(folder.path, name);
  runTool('chdman', [command, '-f', '-i', source, '-o', chd, ...options], folder.path);
  return chd;
}
const hash = async (path: string) => hashImage(path, await identifyFile(path));
const verify = async (path: string) => hashImage(path, await identifyFile(path), { verify: true });

withTools(`images in CHDs of chdman ${skipReason ?? ''}`, () => {
  for (const codec of ['none', 'zlib', 'lzma', 'huff', 'flac', 'zlib,lzma,huff,flac']) {
    // chdman is slow with hunks of 1 MiB
    test(`are identified, hashed and verified: packed with ${codec}`, {
      tags: codec === 'zlib' ? ['full'] : [],
    }, async () => {
      const source = folder.write(mixed, 'mixed.bin');
      for (const hunkBytes of ['4096', codec === 'zlib' ? '1048576' : '18816']) {
        const options = ['-hs', hunkBytes, '-us', '1', '-c', codec];
        const chd = chdman('createraw', source, 'raw.chd', options);
        expect(await identifyFile(chd)).toMatchObject({ problem: null, imageSize: mixed.length });
        expect(await hash(chd)).toEqual(hashesOf(mixed));
        expect(await verify(chd)).toEqual(hashesOf(mixed));
      }
    });
  }

  testFirstOfEach(['lzma', 'none', 'zlib', 'flac'])(
    'are identified as a PSP disc with its serial and icon: %s',
    async (codec) => {
      const options = ['-hs', '4096', '-us', '2048', '-c', codec];
      const chd = chdman('createraw', folder.write(pspIso(), 'psp.iso'), 'psp.chd', options);
      expect(await identifyFile(chd)).toMatchObject({ disc: 'psp', serial: 'ULUS-10041' });
      expect((await readDiscArt(chd))?.name).toBe('ICON0.PNG');
    },
  );
});

withTools(`CDs in CHDs of chdman ${skipReason ?? ''}`, () => {
  const cnf = { 'SYSTEM.CNF': 'BOOT=cdrom:\\SLUS_012.34;1', 'A.BIN': randomBytes(200_001) };
  let data: Buffer;
  const [second, third] = [sound(301), sound(155)];

  beforeAll(() => {
    data = withCorrection(makeRaw(makeIso(cnf), 2));
    folder.write(data, 'data.bin');
    folder.write(second, 'second.bin');
    folder.write(third, 'third.bin');
    const file = (name: string, track: string) =>
      `FILE "${name}.bin" BINARY\n  TRACK ${track}\n    INDEX 0`;
    const pregap = '0 00:00:00\n    INDEX 01 00:02:00\n';
    folder.write(
      `${file('data', '01 MODE2/2352')}1 00:00:00\n${file('second', '02 AUDIO')}${pregap}${file('third', '03 AUDIO')}${pregap}`,
      'cd.cue',
    );
  });

  testFirstOfEach(['cdlz,cdzl,cdfl', 'none', 'cdzl', 'cdlz', 'cdfl', 'zlib', 'lzma', 'huff'])(
    'are identified, and hashed with each original track: packed with %s',
    async (codec) => {
      const chd = chdman('createcd', 'cd.cue', 'cd.chd', ['-c', codec]);
      const identity = await identifyFile(chd);
      expect(identity).toMatchObject({
        disc: 'psx',
        serial: 'SLUS-01234',
        imageSize: data.length,
        problem: null,
      });
      const tracks = [trackOf(1, data, false), trackOf(2, second, true), trackOf(3, third, true)];
      expect(identity.tracks).toEqual(tracks.map((track) => ({ ...track, hashes: null })));
      expect(await hash(chd)).toEqual({ ...hashesOf(data), tracks });
      expect(await verify(chd)).toEqual({ ...hashesOf(data), tracks });
    },
  );

  test('are reported with a wrong SHA-1 of image or metadata only when verified', async () => {
    const chd = readFileSync(chdman('createcd', 'cd.cue', 'cd.chd'));
    const right = await hash(folder.write(chd, 'stated.chd'));
    const other = 'its content has another SHA-1 than its header states';
    const metadata = 'its metadata is not that of which its header states the SHA-1';
    // Change a byte of the image's SHA-1, of the SHA-1 of image and metadata, and of the metadata
    // itself: the last digit of the last track.
    const last = chd.lastIndexOf('POSTGAP:0') + 'POSTGAP:'.length;
    for (const [at, damage] of [
      [70, other],
      [90, metadata],
      [last, metadata],
    ] as const) {
      const changed = Buffer.from(chd);
      changed[at] = (changed[at] as number) ^ 1;
      const path = folder.write(changed, 'stated.chd');
      expect(await hash(path)).toEqual(right);
      expect(await verify(path)).toEqual({ ...right, damage });
    }
  });

  test('are stored without error-correction bytes that can be recalculated', () => {
    const wrong = Buffer.from(data);
    for (let at = 2076; at < wrong.length; at += 2352) wrong[at] = (wrong[at] as number) ^ 1;
    folder.write(
      'FILE "one.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n',
      'one.cue',
    );
    const sizes = [data, wrong].map((track) => {
      folder.write(track, 'one.bin');
      return readFileSync(chdman('createcd', 'one.cue', 'one.chd', ['-c', 'cdzl'])).length;
    });
    expect(sizes[0]).toBeLessThan((sizes[1] as number) - 200 * (data.length / 2352));
  });

  test.each([
    ['MODE1/2352', (iso: Buffer) => withCorrection(makeRaw(iso, 1))],
    ['MODE1/2048', (iso: Buffer) => iso],
    ['MODE2/2352', (iso: Buffer) => makeRaw(iso, 2)],
  ])(
    'are identified by a data track of %s with a pregap after an audio track',
    async (mode, make) => {
      const track = make(Buffer.concat([Buffer.alloc(150 * 2048), makeIso(cnf)]));
      folder.write(track, 'late.bin');
      folder.write(
        `FILE "second.bin" BINARY\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\nFILE "late.bin" BINARY\n  TRACK 02 ${mode}\n    INDEX 00 00:00:00\n    INDEX 01 00:02:00\n`,
        'late.cue',
      );
      const chd = chdman('createcd', 'late.cue', 'late.chd');
      expect(await identifyFile(chd)).toMatchObject({
        serial: 'SLUS-01234',
        imageSize: track.length,
        evidence: { 'data track': '2' },
      });
      expect(await hash(chd)).toMatchObject(hashesOf(track));
    },
  );

  test('are hashed by the first track if all tracks are audio', async () => {
    folder.write('FILE "third.bin" BINARY\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n', 'audio.cue');
    const chd = chdman('createcd', 'audio.cue', 'audio.chd');
    expect(await identifyFile(chd)).toMatchObject({ disc: null, problem: null });
    expect(await hash(chd)).toMatchObject(hashesOf(third));
  });

  test('are identified by the high-density area of a GD-ROM, and hashed unpadded', async () => {
    const iso = Buffer.concat([
      systemArea({ 0: 'SEGA SEGAKATANA ', 64: 'T-1216N' }),
      Buffer.alloc(300 * 2048, 'x'),
    ]);
    const [low, high] = [withCorrection(makeRaw(Buffer.alloc(300 * 2048), 1)), makeRaw(iso, 1)];
    folder.write(low, 'low.bin');
    folder.write(high, 'high.bin');
    folder.write(
      '4\n1 0 4 2352 low.bin 0\n2 450 0 2352 second.bin 0\n3 45000 4 2352 high.bin 0\n4 45451 0 2352 third.bin 0\n',
      'x.gdi',
    );
    const chd = chdman('createcd', 'x.gdi', 'gd.chd');
    expect(await identifyFile(chd)).toMatchObject({
      disc: 'dreamcast',
      serial: 'T-1216N',
      imageSize: high.length,
      evidence: { 'data track': '3' },
    });
    expect(await hash(chd)).toEqual({
      ...hashesOf(high),
      tracks: [
        trackOf(1, low, false),
        trackOf(2, second, true),
        trackOf(3, high, false),
        trackOf(4, third, true),
      ],
    });
  });

  test('are refused if they need a parent; its SHA-1 and their own are stated', async () => {
    const parent = chdman('createcd', 'cd.cue', 'parent.chd');
    const changed = Buffer.from(data);
    changed[5000] = (changed[5000] as number) ^ 1;
    copyFileSync(join(folder.path, 'data.bin'), join(folder.path, 'kept.bin'));
    folder.write(changed, 'data.bin');
    const chd = chdman('createcd', 'cd.cue', 'child.chd', ['-op', parent]);
    copyFileSync(join(folder.path, 'kept.bin'), join(folder.path, 'data.bin'));
    const { statedSha1 } = await identifyFile(parent);
    const identity = await identifyFile(chd);
    expect(identity.problem).toBe(
      `it needs its parent, the CHD with the SHA-1 ${statedSha1}, and is not read`,
    );
    expect(identity.statedSha1).toMatch(/^[0-9a-f]{40}$/);
    await expect(hash(chd)).rejects.toMatchObject({ kind: 'refused' });
  });
});

/**
 * The CHDs here are made from the format's description, because Debian's chdman does not write
 * these forms.
 */
describe('synthetic CHDs', () => {
  const raw: Pick<ChdForm, 'hunkBytes' | 'unitBytes'> = { hunkBytes: 4096, unitBytes: 1 };

  test('are read if packed with zstd, with hunks that are stored or equal to others', async () => {
    const chd = makeChd(mixed, {
      ...raw,
      codecs: ['zstd'],
      pack: (hunk, i) => {
        if (i % 7 === 3) return 'stored';
        if (i > 30 && hunk.equals(Buffer.alloc(4096))) return { same: 30 };
        return { codec: 0, packed: zstdCompressSync(hunk) };
      },
    });
    expect(await hash(folder.write(chd))).toEqual(hashesOf(mixed));
  });

  test('are read with cdzs, which leaves out the error correction of CD frames', async () => {
    const data = withCorrection(makeRaw(Buffer.alloc(31 * 2048, 'data '), 1));
    const music = sound(17);
    const padding = (count: number) => Buffer.alloc(count * 2448);
    const image = Buffer.concat([
      frames(data),
      padding(1),
      frames(music, { isAudio: true }),
      padding(3),
    ]);
    const chd = makeChd(Buffer.concat([image, padding(4)]), {
      hunkBytes: 8 * 2448,
      unitBytes: 2448,
      codecs: ['cdzs'],
      metadata: [
        {
          tag: 'CHT2',
          text: 'TRACK:1 TYPE:MODE1_RAW SUBTYPE:NONE FRAMES:31 PREGAP:0 PGTYPE:MODE1 PGSUB:NONE POSTGAP:0',
        },
        { tag: 'CHTR', text: 'TRACK:2 TYPE:AUDIO SUBTYPE:NONE FRAMES:17' },
      ],
      pack: (hunk) => ({ codec: 0, packed: packFrames(hunk) }),
    });
    const path = folder.write(chd);
    expect(await hash(path)).toEqual({
      ...hashesOf(data),
      tracks: [trackOf(1, data, false), trackOf(2, music, true)],
    });
    expect(await readAtOnce(path, [0, 1, 0, 1, 0])).toEqual([data, music, data, music, data]);
  });

  test('are read in version 4, with packed, stored, filled and equal hunks', async () => {
    const chd = makeOldChd(mixed, {
      hunkBytes: 4096,
      pack: (hunk, i) => {
        if (i % 7 === 3) return 'stored';
        if (!hunk.equals(Buffer.alloc(4096))) return { packed: deflateRawSync(hunk) };
        return i % 2 === 0 && i > 27 ? { same: 27 } : { filled: Buffer.alloc(8) };
      },
    });
    const identity = await folder.identify(chd);
    expect(identity).toMatchObject({ container: 'chd', problem: null, imageSize: mixed.length });
    expect(identity.sha1).toBe(hashesOf(mixed).sha1);
    expect(identity.statedSha1).toMatch(/^[0-9a-f]{40}$/);
    expect(await hash(folder.write(chd))).toEqual(hashesOf(mixed));
  });

  const plain: ChdForm = { ...raw, codecs: ['zlib'], pack: () => 'stored' };
  test.each<[string, Buffer, RegExp]>([
    ['a codec of laser discs', makeChd(mixed, { ...plain, codecs: ['avhu'] }), /"avhu".* not read/],
    ['hunks above 1 MiB', makeChd(mixed, { ...plain, hunkBytes: 2 ** 20 + 1 }), /1048577 bytes/],
    [
      'a CD codec without hunks of a CD',
      makeChd(mixed, { ...plain, codecs: ['cdzl'] }),
      /no hunks of a CD/,
    ],
    [
      'a track that is longer than the image',
      makeChd(mixed, {
        ...plain,
        hunkBytes: 2448,
        metadata: [{ tag: 'CHTR', text: 'TRACK:1 TYPE:AUDIO SUBTYPE:NONE FRAMES:99999999' }],
      }),
      /longer than its image/,
    ],
    [
      'tracks out of order',
      makeChd(mixed, { ...plain, metadata: [{ tag: 'CHTR', text: 'TRACK:2 TYPE:AUDIO' }] }),
      /not in order/,
    ],
    [
      'a track of an unknown type',
      makeChd(mixed, { ...plain, metadata: [{ tag: 'CHT2', text: 'TRACK:1 TYPE:VINYL' }] }),
      /a track cannot be/,
    ],
    [
      'the track list of early versions',
      makeChd(mixed, { ...plain, metadata: [{ tag: 'CHCD', text: '' }] }),
      /old form/,
    ],
  ])('are refused with the reason for %s', async (_, chd, problem) => {
    const path = folder.write(chd);
    expect((await identifyFile(path)).problem).toMatch(problem);
    await expect(hash(path)).rejects.toThrow(problem);
  });

  test('are refused if a hunk refers to another reference or to a missing hunk', async () => {
    for (const same of [2, 5, 9_999_999]) {
      const chd = makeChd(mixed, {
        ...plain,
        pack: (_, i) => (i === 2 || i === 5 ? { same } : 'stored'),
      });
      await expect(hash(folder.write(chd))).rejects.toThrow('its hunk 2 cannot be unpacked');
    }
  });

  test('are refused if a hunk unpacks to content that its checksum does not match', async () => {
    const packed = deflateRawSync(Buffer.alloc(4096, 'other'));
    const chd = makeChd(mixed, {
      ...plain,
      pack: (_, i) => (i === 7 ? { codec: 0, packed } : 'stored'),
    });
    await expect(hash(folder.write(chd))).rejects.toThrow('its hunk 7 cannot be unpacked');
  });

  test('have a problem if they state more hunks than the limit', async () => {
    const chd = makeChd(mixed, plain);
    chd.writeBigUInt64BE(4096n * (2n ** 22n + 1n), 32);
    expect((await folder.identify(chd)).problem).toMatch(/4194305 hunks/);
  });

  test('have a problem if their metadata forms a loop', async () => {
    const chd = makeChd(mixed, { ...plain, metadata: [{ tag: 'NOTE', text: 'x' }] });
    chd.writeBigUInt64BE(chd.readBigUInt64BE(48), Number(chd.readBigUInt64BE(48)) + 8);
    expect((await folder.identify(chd)).problem).toBe('its metadata has no end');
  });
});

/** Reads these tracks of one CHD concurrently, in pieces that start at odd offsets. */
async function readAtOnce(path: string, tracks: readonly number[]): Promise<Buffer[]> {
  const file = await openImageFile(path);
  const { images } = await openChdImages(file);
  const read = async (track: number) => {
    const parts: Buffer[] = [];
    for await (const part of piecesOf(images[track] as ImageBytes, 5001)) parts.push(part);
    return Buffer.concat(parts);
  };
  return Promise.all(tracks.map(read)).finally(() => file.close());
}

/**
 * Packs a hunk as the codec cdzs does. Replaces a frame's sync and error-correction bytes by zeros
 * if they can be calculated from the frame's data.
 */
function packFrames(hunk: Buffer): Buffer {
  const count = hunk.length / 2448;
  const sectors: Buffer[] = [];
  const subchannels: Buffer[] = [];
  const bitmap = Buffer.alloc(Math.ceil(count / 8));
  for (let i = 0; i < count; i += 1) {
    const sector = Buffer.from(hunk.subarray(i * 2448, i * 2448 + 2352));
    if (sector[1] === 255 && withCorrection(sector).equals(sector)) {
      bitmap[i >> 3] = (bitmap[i >> 3] as number) | (1 << (i & 7));
      sector.fill(0, 0, 12);
      sector.fill(0, 2076);
    }
    sectors.push(sector);
    subchannels.push(hunk.subarray(i * 2448 + 2352, (i + 1) * 2448));
  }
  const base = zstdCompressSync(Buffer.concat(sectors));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(base.length);
  return Buffer.concat([bitmap, length, base, zstdCompressSync(Buffer.concat(subchannels))]);
}
