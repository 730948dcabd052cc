import { makeIso, paramSfo } from '../../support/images/disc-images.ts';
import {
  blurayId,
  jaguarTrack,
  neoGeoFiles,
  plainDisc,
  ps3Sfb,
  xbe,
  xex,
  xiso,
} from '../../support/images/other-discs.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { makeUdf } from '../../support/images/udf-images.ts';
import { cue, type Format, own, plain, sony } from './format.ts';

/** Formats of discs of other consoles. Some of them state no serial. */
export const otherDiscs: readonly Format[] = [
  own(
    'Xbox',
    'Microsoft - Xbox',
    (n) => `MS-${n}`,
    (n) => plain(xiso('default.xbe', xbe(0x4d530000 + n, `${n}`, 1))),
  ),
  own(
    'Xbox 360',
    'Microsoft - Xbox 360',
    (n) => `MS-2${n}`,
    (n) => plain(xiso('default.xex', xex(0x4d530000 + 2000 + n, 1, 1))),
  ),
  sony(
    'PlayStation 3',
    (n) => `BLES-00${n}`,
    (n) => plain(ps3(n)),
    ' 3',
  ),
  ...(['NGCD-', 'AICD-'] as const).map((prefix) => ({
    ...own(
      `Neo Geo CD, ${prefix}`,
      'SNK - Neo Geo CD',
      (n) => `${prefix}${n}E`,
      (n) => plain(makeRaw(makeIso(neoGeoFiles(Number(`0x${n}`))), 1)),
    ),
    tools: ['xorriso'] as const,
  })),
  own('3DO', 'The 3DO Company - 3DO', null, (n) =>
    plain(plainDisc({ 0: '\x01ZZZZZ\x01', 40: `Game ${n}` })),
  ),
  own('PC Engine CD', 'NEC - PC Engine CD - TurboGrafx-CD', null, (n) =>
    plain(plainDisc({ 2080: 'PC Engine CD-ROM SYSTEM', 2154: `Game ${n}` })),
  ),
  own('CD-i', 'Philips - CD-i', null, (n) =>
    plain(makeRaw(plainDisc({ 32768: '\x01CD-I ', 32808: `Game ${n}` }), 2)),
  ),
  own('Blu-ray, UDF alone', 'BD-Video', null, (n) =>
    plain(makeUdf({ 'CERTIFICATE/id.bdmv': blurayId(n % 256), 'A.BIN': Buffer.from(`${n}`) })),
  ),
  own('Jaguar CD', 'Atari - Jaguar CD', null, (n) => plain(jaguarTrack(`game ${n}`), '.bin')),
  own('Jaguar CD, cue', 'Atari - Jaguar CD', null, (n, name) =>
    cue(jaguarTrack(`game ${n}`), name, 'AUDIO'),
  ),
  {
    ...own('DVD-Video', 'DVD-Video', null, (n) =>
      plain(makeIso({ 'VIDEO_TS/VIDEO_TS.IFO': `DVDVIDEO-VMG ${n}` }, { volid: 'FILM' })),
    ),
    tools: ['xorriso'],
  },
  {
    ...own('PC', 'IBM - PC compatible', null, (n) => plain(makeIso({ 'SETUP.EXE': `MZ ${n}` }))),
    tools: ['xorriso'],
  },
];

function ps3(n: number): Buffer {
  const sfo = paramSfo({ TITLE_ID: `BLES00${n}`, TITLE: `${n}`, VERSION: '01.00' });
  return makeIso({ 'PS3_DISC.SFB': ps3Sfb(`BLES-00${n}`), 'PS3_GAME/PARAM.SFO': sfo });
}
