import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../../src/disk/identify.ts';
import {
  makeIso,
  nintendoImage,
  paramSfo,
  pspIso,
  systemArea,
} from '../../support/images/disc-images.ts';
import {
  lz4Blocks,
  makeCso,
  makeDax,
  makePbp,
  makeRaw,
  makeRvz,
} from '../../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const xorrisoSkipReason = toolsSkipReason('xorriso');
const withXorriso = describe.skipIf(xorrisoSkipReason !== null);
const lz4SkipReason = toolsSkipReason('xorriso', 'lz4');
const chdmanSkipReason = toolsSkipReason('xorriso', 'chdman');
const zipSkipReason = toolsSkipReason('zip');
const withZip = describe.skipIf(zipSkipReason !== null);

withXorriso(`PSP images, plain and packed ${xorrisoSkipReason ?? ''}`, () => {
  const iso = xorrisoSkipReason === null ? pspIso() : Buffer.alloc(0);
  const cases: [name: string, container: string, make: () => Buffer][] = [
    ['CSO', 'cso', () => makeCso(iso)],
    ['CSO version 0 with 8 KiB blocks', 'cso', () => makeCso(iso, { version: 0, blockSize: 8192 })],
    ['CSO with an index shift', 'cso', () => makeCso(iso, { shift: 4 })],
    ['CSO version 2', 'cso', () => makeCso(iso, { version: 2 })],
    ['ZSO', 'zso', () => makeCso(iso, { magic: 'ZISO' })],
    ['ZSO with an index shift', 'zso', () => makeCso(iso, { magic: 'ZISO', shift: 3 })],
    ['DAX', 'dax', () => makeDax(iso)],
    ['DAX with its frames backwards', 'dax', () => makeDax(iso, [], true)],
    [
      'DAX with stored frames',
      'dax',
      () =>
        makeDax(iso, [
          [0, 3],
          [6, 100],
        ]),
    ],
  ];
  test.each(cases)(
    'are identified by disc, serial, title and image size: %s',
    async (_, container, make) => {
      expect(await folder.identify(make())).toMatchObject({
        disc: 'psp',
        container,
        serial: 'ULUS-10041',
        title: 'A game of "two" lines™',
        imageSize: iso.length,
        problem: null,
      });
    },
  );

  test('are reported as cut if they lack the last sector', async () => {
    const longer = Buffer.from(iso);
    longer.writeUInt32LE(iso.length / 2048 + 1, 16 * 2048 + 80);
    for (const image of [longer, makeCso(longer), makeDax(longer)]) {
      expect(await folder.identify(image)).toMatchObject({
        serial: 'ULUS-10041',
        problem: `it is cut: its file system has ${iso.length + 2048} bytes, it has ${iso.length}`,
      });
    }
    // a raw track has no such problem
    expect((await folder.identify(makeRaw(longer, 1))).problem).toBeNull();
  });

  test('have the serial of PARAM.SFO if UMD_DATA.BIN is cut off', async () => {
    const at = iso.indexOf('ULUS-10041|');
    expect(at).toBeGreaterThan(iso.indexOf('\0PSF'));
    expect(await folder.identify(iso.subarray(0, at))).toMatchObject({
      serial: 'ULUS-10041',
      problem: `it is cut or points behind its end: 50 bytes at ${at} of ${at}`,
    });
  });

  test('are recognised as UMD Video inside a CSO', async () => {
    const video = makeIso({ 'UMD_DATA.BIN': 'LXG|' }, { sysid: 'UMD VIDEO' });
    expect(await folder.identify(makeCso(video))).toMatchObject({
      disc: 'umd-video',
      title: 'LXG',
      imageSize: video.length,
    });
  });

  test.skipIf(lz4SkipReason !== null)(
    `are read from a ZSO whose blocks the lz4 program packed ${lz4SkipReason ?? ''}`,
    async () => {
      const blocks = lz4Blocks(iso);
      const stored = blocks.filter((block) => block === null).length;
      expect(stored).toBeLessThan(blocks.length);
      const form = { magic: 'ZISO', blockSize: 65536 } as const;
      const zso = makeCso(iso, form, (block, i) => blocks[i] ?? block);
      expect(await folder.identify(zso)).toMatchObject({ serial: 'ULUS-10041', problem: null });
    },
  );
});

describe('RVZ and WIA files', () => {
  test.each(['RVZ', 'WIA'] as const)(
    'are identified by the disc header and the image size: %s',
    async (magic) => {
      const file = makeRvz(nintendoImage('GENJ13', 'Ｚ', 'gamecube'), magic);
      expect(await folder.identify(file)).toMatchObject({
        disc: 'gamecube',
        container: magic.toLowerCase(),
        serial: 'GENJ13',
        imageSize: 0x8000,
        problem: null,
      });
    },
  );

  test('are reported as damaged by their checksums, and as cut by their size: RVZ', async () => {
    const file = makeRvz(nintendoImage('RMCE01', 'Karts', 'wii'));
    for (const at of [5, 0x29, 0x49, 0x60]) {
      const damaged = Buffer.from(file);
      damaged[at] = 0x77;
      expect((await folder.identify(damaged)).problem, `byte ${at}`).toMatch('checksum differs');
    }
    expect(await folder.identify(file.subarray(0, 4000))).toMatchObject({
      serial: 'RMCE01',
      problem: `it is cut: it has 4000 of ${file.length} bytes`,
    });
  });
});

describe('an EBOOT.PBP', () => {
  const pbp = (sfo: Record<string, string>, psar = 'NPUMDIMG') =>
    makePbp([
      paramSfo(sfo),
      Buffer.from('icon'),
      Buffer.alloc(0),
      Buffer.alloc(0),
      Buffer.alloc(0),
      Buffer.alloc(0),
      Buffer.from('psp'),
      Buffer.from(psar),
    ]);

  test('is identified as a PSP game, or as a PlayStation game packed for PSP', async () => {
    const psp = pbp({ DISC_ID: 'NPUH10091', TITLE: 'Pure', CATEGORY: 'EG' });
    expect(await folder.identify(psp)).toMatchObject({
      disc: 'psp',
      container: 'pbp',
      serial: 'NPUH-10091',
      title: 'Pure',
      imageSize: null,
      problem: null,
    });
    for (const psar of ['PSISOIMG0000', 'PSTITLEIMG000000']) {
      const psx = pbp({ DISC_ID: 'SLUS00922', CATEGORY: 'ME' }, psar);
      expect(await folder.identify(psx)).toMatchObject({ disc: 'psx', serial: 'SLUS-00922' });
    }
  });

  test('has no serial if it is homebrew with the ID that all homebrew shares', async () => {
    const homebrew = pbp({ DISC_ID: 'UCJS10041', CATEGORY: 'MG', TITLE: 'Tool' }, '');
    expect(await folder.identify(homebrew)).toMatchObject({ serial: null, title: 'Tool' });
    const game = pbp({ DISC_ID: 'UCJS10041', CATEGORY: 'UG' });
    expect((await folder.identify(game)).serial).toBe('UCJS-10041');
  });

  test('has a problem if it is cut before its sections, or has sections out of order', async () => {
    const file = pbp({ DISC_ID: 'NPUH10091' });
    expect((await folder.identify(file.subarray(0, 60))).problem).toMatch('cut');
    const disordered = Buffer.from(file);
    disordered.writeUInt32LE(1, 12);
    expect((await folder.identify(disordered)).problem).toMatch('damaged');
  });
});

describe.skipIf(chdmanSkipReason !== null)(`a CHD ${chdmanSkipReason ?? ''}`, () => {
  /** Returns a field in the output of `chdman info`. */
  const statedValue = (info: string, field: string) =>
    new RegExp(`^${field}: +(.+)$`, 'm').exec(info)?.[1] ?? '';

  test('states the SHA-1s and size of its ISO that chdman states', async () => {
    const source = folder.write(pspIso(), 'source.iso');
    const chd = join(folder.path, 'odd.name');
    runTool('chdman', ['createraw', '-i', source, '-o', chd, '-hs', '6144', '-us', '2048']);
    const info = runTool('chdman', ['info', '-i', chd]);
    const size = Number(statedValue(info, 'Logical size').replace(/\D/g, ''));
    const identity = await identifyFile(chd);
    expect(identity).toMatchObject({
      container: 'chd',
      disc: 'psp',
      serial: 'ULUS-10041',
      imageSize: size,
      tracks: [],
      statedSha1: statedValue(info, 'SHA1'),
      problem: null,
    });
    expect(identity.sha1).toBe(statedValue(info, 'Data SHA1'));
    const sha1sum = execFileSync('sha1sum', [source], { encoding: 'utf8' }).slice(0, 40);
    expect(identity.sha1).toBe(sha1sum);
  });

  test('states no SHA-1 of its content if it is not compressed', async () => {
    const source = folder.write(pspIso());
    const chd = join(folder.path, 'plain.chd');
    const options = ['-hs', '4096', '-us', '2048', '-c', 'none'];
    runTool('chdman', ['createraw', '-i', source, '-o', chd, ...options]);
    expect(await identifyFile(chd)).toMatchObject({ sha1: null, problem: null });
  });

  test('states both SHA-1s of a CD, and is identified by the data track', async () => {
    const files = { 'SYSTEM.CNF': 'BOOT=cdrom:\\SLUS_012.34;1', 'FILL.BIN': Buffer.alloc(2 ** 20) };
    const raw = makeRaw(makeIso(files), 2);
    folder.write(raw, 'cd.bin');
    const cue = folder.write(
      'FILE "cd.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n',
      'cd.cue',
    );
    const chd = join(folder.path, 'cd.chd');
    runTool('chdman', ['createcd', '-i', cue, '-o', chd]);
    const identity = await identifyFile(chd);
    expect(identity).toMatchObject({
      container: 'chd',
      disc: 'psx',
      serial: 'SLUS-01234',
      imageSize: raw.length,
      tracks: [{ number: 1, isAudio: false, size: raw.length, hashes: null }],
      problem: null,
    });
    const info = runTool('chdman', ['info', '-i', chd]);
    expect(identity).toMatchObject({
      sha1: statedValue(info, 'Data SHA1'),
      statedSha1: statedValue(info, 'SHA1'),
    });
  });

  test('has a problem if its version is unsupported or it is cut', async () => {
    const chd = Buffer.alloc(200);
    chd.write('MComprHD', 0, 'latin1');
    chd.writeUInt32BE(76, 8);
    chd.writeUInt32BE(1, 12);
    expect((await folder.identify(chd)).problem).toBe(
      'it is a CHD of version 1; only versions 4 and 5 are read',
    );
    const source = folder.write(pspIso());
    const whole = join(folder.path, 'whole.chd');
    runTool('chdman', ['createraw', '-i', source, '-o', whole, '-hs', '4096', '-us', '2048']);
    execFileSync('truncate', ['-s', '-1000', whole]);
    const cut = await identifyFile(whole);
    expect(cut.problem).toMatch('cut');
    expect(cut.sha1).toMatch(/^[0-9a-f]{40}$/);
  });
});

withZip(`the identification of a zip ${zipSkipReason ?? ''}`, () => {
  mkdirSync(join(folder.path, 'zip', 'sub'), { recursive: true });
  const inZip = (name: string) => join(folder.path, 'zip', name);
  writeFileSync(inZip('game é.iso'), Buffer.alloc(300_000, 'abc'));
  writeFileSync(inZip('sub/track.bin'), 'hello');
  const crcOf = (name: string) =>
    execFileSync('gzip', ['-c', inZip(name)])
      .subarray(-8, -4)
      .reverse()
      .toString('hex');

  test.each([
    ['deflated', []],
    ['stored', ['-0']],
    ['zip64', ['-fz']],
  ])('lists members with CRC-32 and size: %s', async (kind, options) => {
    const path = join(folder.path, `${kind}.zzz`);
    runTool('zip', ['-r', ...options, path, 'game é.iso', 'sub'], join(folder.path, 'zip'));
    expect(await identifyFile(path)).toMatchObject({
      container: 'zip',
      disc: null,
      serial: null,
      imageSize: null, // none, because there are two images
      members: [
        { name: 'game é.iso', size: 300_000, crc32: crcOf('game é.iso'), hashes: null },
        { name: 'sub/track.bin', size: 5, crc32: crcOf('sub/track.bin'), hashes: null },
      ],
      problem: null,
    });
  });

  test('lists members of a zip64 from a pipe, with sizes after the data', async () => {
    const path = join(folder.path, 'piped.zzz');
    execFileSync('sh', ['-c', `cat "$1" | zip -fz - - > "$2"`, 'sh', inZip('game é.iso'), path], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { members } = await identifyFile(path);
    expect(members).toEqual([
      { name: '-', size: 300_000, crc32: crcOf('game é.iso'), hashes: null },
    ]);
  });

  test('treats member names that leave the folder as plain names', async () => {
    const path = join(folder.path, 'climb.zip');
    runTool('zip', [path, '../zip/sub/track.bin'], join(folder.path, 'zip'));
    const identity = await identifyFile(path);
    expect(identity).toMatchObject({ members: [{ name: '../zip/sub/track.bin' }], problem: null });
  });

  test('accepts an empty zip, and reports one that is cut', async () => {
    const empty = Buffer.alloc(22);
    empty.write('PK\x05\x06', 0, 'latin1');
    expect(await folder.identify(empty)).toMatchObject({ container: 'zip', members: [] });
    expect((await folder.identify(Buffer.from('PK\x03\x04 and no more'))).problem).toMatch('zip');
  });
});

describe('the reader of cue and GDI sheets', () => {
  const track = (name: string, mode: string) =>
    `FILE "${name}" BINARY\r\n  TRACK 01 ${mode}\r\n    INDEX 01 00:00:00\r\n`;
  const header = systemArea({ 0: 'SEGA SEGAKATANA ', 64: 'T-1216N   ', 128: 'GAME' });

  test.skipIf(xorrisoSkipReason !== null)(
    `identifies a disc by the data track of a cue ${xorrisoSkipReason ?? ''}`,
    async () => {
      const raw = makeRaw(makeIso({ 'SYSTEM.CNF': 'BOOT=cdrom:\\SLES_012.34;1' }), 2);
      folder.write(raw, 'Track (1) é.bin');
      const sheet = `\uFEFFREM made by hand\n${track('Track (1) é.bin', 'MODE2/2352')}`;
      const audio = 'FILE "no such.bin" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n';
      expect(await folder.identify(`${sheet}${audio}`)).toMatchObject({
        disc: 'psx',
        container: 'cue',
        serial: 'SLES-01234',
        imageSize: raw.length,
        evidence: { 'data track': 'Track (1) é.bin' },
        problem: null,
      });
    },
  );

  test('accepts Latin-1 names, unquoted names, and 2048 or 2336 bytes per sector', async () => {
    folder.write(header, 'Gänse.bin');
    const latin = Buffer.from(track('Gänse.bin', 'MODE1/2048'), 'latin1');
    expect(await folder.identify(latin)).toMatchObject({ disc: 'dreamcast', serial: 'T-1216N' });
    folder.write(Buffer.concat([Buffer.alloc(8), header, Buffer.alloc(280)]), 'plain.bin');
    const unquoted = track('plain.bin', 'MODE2/2336').replaceAll('"', '');
    expect(await folder.identify(unquoted)).toMatchObject({ disc: 'dreamcast', problem: null });
  });

  test('identifies a data track in the middle of a file', async () => {
    const audio = Buffer.alloc(2352 * 75, 1);
    folder.write(Buffer.concat([audio, makeRaw(header, 1)]), 'one.bin');
    const sheet = [
      'FILE "one.bin" BINARY',
      'TRACK 01 AUDIO',
      'INDEX 01 00:00:00',
      'TRACK 02 MODE1/2352',
      'INDEX 00 00:00:50',
      'INDEX 01 00:01:00',
    ];
    expect((await folder.identify(sheet.join('\n'))).disc).toBe('dreamcast');
  });

  test('uses the high-density track of a GDI, and of a cue of the same disc', async () => {
    folder.write(makeRaw(Buffer.alloc(20 * 2048, 'x'), 1), 'track01.bin');
    folder.write(makeRaw(header, 1), 'track03.bin');
    const gdi = [
      '3',
      '1 0 4 2352 track01.bin 0',
      '2 450 0 2352 track02.raw 0',
      '3 45000 4 2352 "track03.bin" 0',
    ];
    const expected = {
      disc: 'dreamcast',
      serial: 'T-1216N',
      imageSize: 2352,
      evidence: { 'data track': 'track03.bin' },
      problem: null,
    };
    expect(await folder.identify(gdi.join('\r\n'))).toMatchObject({
      container: 'gdi',
      ...expected,
    });
    const cue = `${track('track01.bin', 'MODE1/2352')}${track('track03.bin', 'MODE1/2352')}`;
    expect(await folder.identify(cue)).toMatchObject({ container: 'cue', ...expected });
  });

  test.each(['../one.bin', '/etc/hostname', 'sub\\one.bin', '..', '', 'x'.repeat(300)])(
    'does not open a track named %j',
    async (name) => {
      const cue = await folder.identify(track(name, 'MODE1/2352'));
      expect(cue).toMatchObject({ container: 'cue', disc: null });
      expect(cue.problem).toBe('it names a track that is no file of its own folder');
    },
  );

  test('reports a missing data track, but not a missing audio track', async () => {
    expect((await folder.identify(track('gone.bin', 'MODE1/2352'))).problem).toBe(
      'its track "gone.bin" is missing',
    );
    expect((await folder.identify(track('gone.bin', 'AUDIO'))).problem).toBeNull();
  });

  test('does not take other text for a sheet', async () => {
    for (const text of ['hello', '12\nmonkeys', 'FILE a list\nof names', 'TRACK 01 MODE1/2352']) {
      expect(await folder.identify(text)).toMatchObject({ container: 'unknown', problem: null });
    }
  });
});
