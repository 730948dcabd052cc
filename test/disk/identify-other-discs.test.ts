import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifyFile } from '../../src/disk/identify.ts';
import { makeIso, paramSfo } from '../support/images/disc-images.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../support/images/mutants.ts';
import {
  blurayId,
  jaguarTrack,
  neoGeoFiles,
  plainDisc,
  ps3Sfb,
  xbe,
  xex,
  xiso,
} from '../support/images/other-discs.ts';
import { makeRaw } from '../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const xorrisoSkipReason = toolsSkipReason('xorriso');
const withXorriso = describe.skipIf(xorrisoSkipReason !== null);
const chdmanSkipReason = toolsSkipReason('chdman');

const xboxDisc = xiso('default.xbe', xbe(0x4d530062, 'A game', 0b011));
const xbox360Disc = xiso('Default.XEX', xex(0x4d5307d4, 2, 3));

describe('Xbox and Xbox 360 discs', () => {
  test('are identified by the title ID in its printed form, with their regions', async () => {
    expect(await folder.identify(xboxDisc)).toMatchObject({
      disc: 'xbox',
      container: 'iso',
      serial: 'MS-098',
      title: 'A game',
      edition: { disc: null, areas: ['america', 'japan'] },
      problem: null,
    });
    expect(await folder.identify(xbox360Disc)).toMatchObject({
      disc: 'xbox-360',
      serial: 'MS-2004',
      edition: { disc: 2, areas: ['europe'] },
      problem: null,
    });
  });

  test.skipIf(xorrisoSkipReason !== null)(
    `are found after the video in an image of the whole disc ${xorrisoSkipReason ?? ''}`,
    async () => {
      const film = makeIso({ 'VIDEO_TS/VIDEO_TS.IFO': 'DVDVIDEO-VMG' });
      const whole = Buffer.alloc(0x02080000 + xbox360Disc.length);
      film.copy(whole);
      xbox360Disc.copy(whole, 0x02080000);
      expect(await folder.identify(whole)).toMatchObject({ disc: 'xbox-360', serial: 'MS-2004' });
    },
  );

  test('have no serial without a program, or if the ID has no letters', async () => {
    const none = xiso('other.xbe', xbe(0x4d530062, '', 0));
    expect(await folder.identify(none)).toMatchObject({ disc: 'xbox', serial: null });
    const odd = xiso('default.xbe', xbe(0x00010062, '', 0));
    expect(await folder.identify(odd)).toMatchObject({ disc: 'xbox', serial: null, problem: null });
  });
});

const sfb = ps3Sfb('BLES-00585');
const sfo = paramSfo({ TITLE_ID: 'BLES00585', TITLE: 'A game', VERSION: '01.01' });

withXorriso(`discs with a file system ${xorrisoSkipReason ?? ''}`, () => {
  test.each([
    ['both files', { 'PS3_DISC.SFB': sfb, 'PS3_GAME/PARAM.SFO': sfo }, 'A game'],
    ['an encrypted image', { 'PS3_DISC.SFB': sfb, 'PS3_GAME/PARAM.SFO': 'noise' }, null],
    ['PARAM.SFO alone', { 'PS3_GAME/PARAM.SFO': sfo }, 'A game'],
  ] as const)(
    'are identified as PlayStation 3 discs with their serial: %s',
    async (_, files, title) => {
      const identity = await folder.identify(makeIso(files));
      expect(identity).toMatchObject({ disc: 'ps3', serial: 'BLES-00585', title, problem: null });
      expect(identity.edition.version).toBe(title && '01.01');
    },
  );

  test('are recognised as Neo Geo CD, with the program number as serial', async () => {
    const files = neoGeoFiles(0x0055);
    for (const image of [makeIso(files, { volid: 'A_GAME' }), makeRaw(makeIso(files), 1)]) {
      expect(await folder.identify(image)).toMatchObject({
        disc: 'neo-geo-cd',
        serial: 'NGCD-055',
      });
    }
    files['GAME.PRG'].write('NOTHING', 0x100, 'latin1');
    expect(await folder.identify(makeIso(files))).toMatchObject({ disc: null, serial: null });
  });

  test('have DVD-Video or Blu-ray as evidence, and the volume name as title', async () => {
    const ifo = Buffer.alloc(0x800);
    ifo.write('DVDVIDEO-VMG', 0, 'latin1');
    ifo.write('A PROVIDER', 0x40, 'latin1');
    const dvd = await folder.identify(makeIso({ 'VIDEO_TS/VIDEO_TS.IFO': ifo }, { volid: 'FILM' }));
    expect(dvd).toMatchObject({ disc: null, title: 'FILM', problem: null });
    expect(dvd.evidence).toMatchObject({
      'disc content': 'DVD-Video',
      'DVD provider id': 'A PROVIDER',
    });
    const bluRay = await folder.identify(makeIso({ 'CERTIFICATE/id.bdmv': blurayId(0xab) }));
    expect(bluRay.evidence['Blu-ray disc id']).toBe('ab'.repeat(16));
    const pc = await folder.identify(makeIso({ 'SETUP.EXE': 'MZ' }, { volid: 'PROGRAM' }));
    expect(pc).toMatchObject({ disc: null, serial: null, title: 'PROGRAM' });
  });
});

const others = {
  '3do': plainDisc({ 0: '\x01ZZZZZ\x01', 40: 'A game' }),
  'pc-engine-cd': plainDisc({ 2080: 'PC Engine CD-ROM SYSTEM', 2154: 'A game' }),
  'cd-i': plainDisc({ 32768: '\x01CD-I ', 32808: 'A game' }),
};

describe('the disc reader', () => {
  test.each(Object.entries(others))('finds a title, but no serial: %s', async (disc, image) => {
    const found = { disc, serial: null, title: 'A game', problem: null };
    expect(await folder.identify(image)).toMatchObject({ ...found, container: 'iso' });
    expect(await folder.identify(makeRaw(image, 1))).toMatchObject({ ...found, container: 'raw' });
  });

  describe('a Jaguar CD', () => {
    const found = { disc: 'jaguar-cd', serial: null, title: null, problem: null };
    const jaguar = jaguarTrack('a game');
    const sound = Buffer.alloc(2352 * 300, 'a tune');

    test.each([
      ['unchanged', jaguar],
      ['with its bytes swapped', jaguarTrack('a game', { isSwapped: true })],
      ['after its pregap', jaguarTrack('a game', { pregap: 150 })],
    ])('is recognised by its track: %s', async (_, track) => {
      expect(await folder.identify(track)).toMatchObject({ ...found, container: 'raw' });
      for (const tune of [sound, sound.subarray(0, 2352)]) {
        expect(await folder.identify(tune)).toMatchObject({ disc: null, problem: null });
      }
    });

    function writeCue(...names: string[]): string {
      folder.write(sound, 'one.bin');
      folder.write(jaguar, 'two.bin');
      const tracks = names.map(
        (name, at) =>
          `FILE "${name}.bin" BINARY\n  TRACK 0${at + 1} AUDIO\n    INDEX 01 00:00:00\n`,
      );
      return folder.write(tracks.join(''), 'x.cue');
    }

    test('is recognised in a cue whose tracks are all audio', async () => {
      const cue = writeCue('one', 'two');
      expect(await identifyFile(cue)).toMatchObject({ ...found, container: 'cue' });
      writeCue('one', 'one');
      expect(await identifyFile(cue)).toMatchObject({ ...found, disc: null, imageSize: null });
    });

    test.skipIf(chdmanSkipReason !== null)(
      `is recognised in a CHD whose tracks are all audio ${chdmanSkipReason ?? ''}`,
      async () => {
        const chd = join(folder.path, 'x.chd');
        const cue = writeCue('one', 'two');
        runTool('chdman', ['createcd', '-i', cue, '-o', chd], folder.path);
        expect(await identifyFile(chd)).toMatchObject({ ...found, container: 'chd' });
      },
    );
  });

  test('does not take the volume name "CD-ROM" as the title', async () => {
    const image = plainDisc({ 0: '\x01ZZZZZ\x01', 40: 'CD-ROM' });
    expect(await folder.identify(image)).toMatchObject({ disc: '3do', title: null });
  });

  testMutants('reads damaged images or reports a problem, $count of each', async (times) => {
    const random = createRandom(40);
    const images = [xboxDisc, xbox360Disc, jaguarTrack('a game'), ...Object.values(others)];
    if (xorrisoSkipReason === null)
      images.push(makeIso({ 'PS3_DISC.SFB': sfb, 'PS3_GAME/PARAM.SFO': sfo }));
    const damaged = new DamagedFiles(folder);
    const change = (image: Buffer) => mutate(image, random, image.length);
    for (const whole of images) await damaged.each({ whole, change, times });
    if (xorrisoSkipReason === null) await damaged.expectReported();
  });
});
