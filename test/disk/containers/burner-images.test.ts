import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { romOf } from '../../library/library-fixture.ts';
import {
  type BurntTrack,
  makeCcd,
  makeCdi,
  makeEcm,
  makeMds,
  makeNrg,
  withDetection,
} from '../../support/images/burner-images.ts';
import { sound, withCorrection } from '../../support/images/cd-tracks.ts';
import { systemArea } from '../../support/images/disc-images.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const area = systemArea({ 0: 'SEGA SEGASATURN ', 32: 'T-21301G  V1.000' });
const image = Buffer.concat([area, Buffer.alloc(40 * 2048, 'data ')]);
const data = withCorrection(withDetection(makeRaw(image, 1)));
const tracks: BurntTrack[] = [
  { content: data, isAudio: false },
  { content: sound(20), isAudio: true },
  { content: sound(31), isAudio: true },
];
const saturn = { disc: 'saturn', serial: 'T-21301G', problem: null };
const hashesOf = (content: Buffer) => {
  const { sha1, md5, crc } = romOf(content, '');
  return { sha1, md5, crc32: crc };
};
const hashedTracks = tracks.map(({ content, isAudio }, i) => {
  return { number: i + 1, isAudio, size: content.length, hashes: hashesOf(content) };
});

describe('a Nero or DiscJuggler image', () => {
  const forms: [string, 'nrg' | 'cdi', Buffer][] = [
    ['Nero, version 2', 'nrg', makeNrg(tracks)],
    ['Nero, version 1', 'nrg', makeNrg(tracks, { version: 1 })],
    ['Nero, track by track', 'nrg', makeNrg(tracks, { apart: true })],
    ['Nero with subchannels', 'nrg', makeNrg(tracks, { stride: 2448 })],
    ['DiscJuggler 2', 'cdi', makeCdi(tracks, 2)],
    ['DiscJuggler 3', 'cdi', makeCdi(tracks, 3)],
    ['DiscJuggler 3.5', 'cdi', makeCdi(tracks)],
  ];
  for (const [name, container, bytes] of forms) {
    test(`is identified, and hashed with each of its tracks: ${name}`, async () => {
      const path = folder.write(bytes);
      const identity = await identifyFile(path);
      expect(identity).toMatchObject({ ...saturn, container, imageSize: data.length });
      const main = { ...hashesOf(data), size: data.length };
      expect(await hashImage(path, identity)).toEqual({ ...main, tracks: hashedTracks });
    });
  }
});

describe('a CloneCD sheet', () => {
  const whole = Buffer.concat(tracks.map(({ content }) => content));
  for (const old of [false, true]) {
    test(`names the image and all track starts${old ? ', also by entries' : ''}`, async () => {
      const name = `clone ${old}`;
      folder.write(whole, `${name}.IMG`);
      const identity = await folder.identify(makeCcd(tracks, { old }), `${name}.ccd`);
      expect(identity).toMatchObject({ ...saturn, container: 'ccd' });
      const starts = identity.sheet[0]?.tracks.map(({ start }) => start);
      expect(starts).toEqual([0, data.length, data.length + 20 * 2352]);
      expect(identity.sheet.map((file) => file.name)).toEqual(['*.img', '*.sub']);
    });
  }

  test('reports that its image is missing', async () => {
    const identity = await folder.identify(makeCcd(tracks), 'alone.ccd');
    expect(identity.problem).toBe('its track "alone.img" is missing');
  });
});

describe('an Alcohol sheet with its image', () => {
  test.each([0, 96] as const)(
    'is identified, and hashed track by track, with %i bytes of subchannels',
    async (subchannels) => {
      const { mds, mdf } = makeMds(tracks, subchannels);
      const name = `alcohol ${subchannels}`;
      const path = folder.write(mdf, `${name}.mdf`);
      const sheet = await folder.identify(mds, `${name}.mds`);
      expect(sheet).toMatchObject({ ...saturn, container: 'mds' });
      // the subchannels are not part of the hashed data
      const starts = sheet.sheet[0]?.tracks.map(({ start }) => start);
      expect(starts).toEqual([0, data.length, data.length + 20 * 2352]);
      const identity = await identifyFile(path);
      const whole = Buffer.concat(tracks.map(({ content }) => content));
      const container = subchannels === 0 ? 'raw' : 'mdf';
      expect(identity).toMatchObject({ ...saturn, container, imageSize: whole.length });
      const expected = hashedTracks.map((track) => ({ ...track, hashes: null }));
      expect(await hashImage(path, { ...identity, tracks: expected })).toMatchObject({
        ...hashesOf(whole),
        tracks: hashedTracks,
      });
    },
  );
});

describe('the reader of ECM files', () => {
  const second = withCorrection(withDetection(makeRaw(image, 2)));

  test('restores sectors of mode 1 and mode 2, and verbatim bytes', async () => {
    const whole = Buffer.concat([data, sound(3), second]);
    const packed = makeEcm([
      { kind: 1, bytes: data },
      { kind: 0, bytes: sound(3) },
      { kind: 2, bytes: second },
    ]);
    expect(packed.length).toBeLessThan(whole.length);
    const path = folder.write(packed);
    const identity = await identifyFile(path);
    expect(identity).toMatchObject({ ...saturn, container: 'ecm', imageSize: null });
    expect(await hashImage(path, identity)).toEqual({ ...hashesOf(whole), size: whole.length });
  });

  test('identifies a disc with sectors of mode 2', async () => {
    expect(await folder.identify(makeEcm([{ kind: 2, bytes: second }]))).toMatchObject(saturn);
  });

  test('refuses a file whose checksum differs, and one that is cut', async () => {
    const packed = makeEcm([{ kind: 1, bytes: data }]);
    packed[packed.length - 1] = (packed.at(-1) as number) ^ 1;
    const damaged = folder.write(packed);
    await expect(hashImage(damaged, { container: 'ecm' })).rejects.toThrow('its checksum differs');
    const cut = folder.write(packed.subarray(0, -9));
    await expect(hashImage(cut, { container: 'ecm' })).rejects.toThrow('it is cut');
  });
});

describe('the parts of a split image', () => {
  test('are identified and hashed as one image by the first part', async () => {
    const parts = [data.subarray(0, 5000), data.subarray(5000, 5001), data.subarray(5001)];
    const paths = parts.map((part, i) => folder.write(part, `split.bin.00${i + 1}`));
    const [first = '', second = ''] = paths;
    const identity = await identifyFile(first);
    expect(identity).toMatchObject({ ...saturn, container: 'raw', imageSize: data.length });
    expect(identity.sheet.map(({ name }) => name)).toEqual(['*.002', '*.003']);
    expect(await hashImage(first, identity)).toEqual({ ...hashesOf(data), size: data.length });
    const later = await identifyFile(second);
    expect(later).toMatchObject({
      container: 'part',
      unrestorable: 'it goes on from another file',
    });
  });

  test('are plain files if there is no first part or no second one', async () => {
    expect((await folder.identify(data, 'lonely.002')).container).toBe('raw');
    const identity = await folder.identify(data, 'one.001');
    expect(identity).toMatchObject({ ...saturn, sheet: [] });
  });
});

describe('damaged images of burning programs', () => {
  const { mds, mdf } = makeMds(tracks, 96);
  folder.write(mdf, 'case.mdf');
  folder.write(Buffer.concat(tracks.map(({ content }) => content)), 'case.img');
  const forms: [string, Buffer, number][] = [
    ['nrg', makeNrg(tracks), 260],
    ['cdi', makeCdi(tracks), 600],
    [
      'ecm',
      makeEcm([
        { kind: 1, bytes: data },
        { kind: 0, bytes: sound(2) },
      ]),
      400,
    ],
    ['mds', mds, mds.length],
    ['ccd', Buffer.from(makeCcd(tracks)), makeCcd(tracks).length],
  ];
  const damaged = new DamagedFiles(folder);
  for (const [name, whole, tables] of forms) {
    testMutants(`are read or refused: ${name}, $count times`, async (times) => {
      const random = createRandom(20);
      const change = (bytes: Buffer) => mutate(bytes, random, 16, tables);
      await damaged.each({ whole, change, name: `case.${name}`, times });
    });
  }

  test('are reported by a scan if the readers reported or refused them', () =>
    damaged.expectReported());

  test('leave out the parts after a missing one if they are split', async () => {
    const first = folder.write(data.subarray(0, 100 * 48), 'gap.001');
    copyFileSync(first, join(folder.path, 'gap.003'));
    expect((await identifyFile(first)).sheet).toEqual([]);
  });
});
