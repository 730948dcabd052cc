import { crc32 } from 'node:zlib';
import { type Dump, dumps } from '../../support/images/cartridges.ts';
import { makeIso, paramSfo } from '../../support/images/disc-images.ts';
import {
  makeCso,
  makeDax,
  makeGcz,
  makePbp,
  makePsxPbp,
  makeRaw,
  makeRvz,
} from '../../support/images/packed-images.ts';
import {
  dreamcast,
  gameCube,
  megaCd,
  printedGameCube,
  ps2,
  psp,
  psx,
  saturn,
  slus,
  ulus,
  wii,
} from '../numbered-discs.ts';
import { archives, chdsInArchives, csosInArchives, oneBin } from './archive-formats.ts';
import { burners } from './burner-formats.ts';
import { chds } from './chd-formats.ts';
import { cue, type Format, type Made, onPsp, own, packed, plain, sony } from './format.ts';
import { otherDiscs } from './other-disc-formats.ts';
import { discsByMaxcso, nintendoByDolphin, nintendoByWit, splitWbfs } from './tool-formats.ts';

/** Every supported format, with correct, incorrect and meaningless file extensions. */
export const formats: readonly Format[] = [
  sony('PSP ISO', ulus, (n) => plain(psp(n), '.dat'), onPsp),
  sony('CSO', ulus, (n) => packed(psp(n), makeCso, '.iso'), onPsp),
  sony(
    'ZSO',
    ulus,
    (n) => packed(psp(n), (image) => makeCso(image, { magic: 'ZISO' }), '.cso'),
    onPsp,
  ),
  sony('DAX', ulus, (n) => packed(psp(n), makeDax, '.dax'), onPsp),
  sony('UMD Video', null, (n) => plain(umdVideo(n)), ' Portable (UMD Video)'),
  { ...sony('PBP', ulus, (n) => pbp(n), onPsp), tools: [] },
  sony('PlayStation, PBP', slus, (n) =>
    packed(makeRaw(psx(n), 2), (raw) => psxPbp(n, raw), '.PBP'),
  ),
  sony('PlayStation, 2048', slus, (n) => plain(psx(n), '.img')),
  sony('PlayStation, mode 1', slus, (n) => plain(makeRaw(psx(n), 1), '.bin')),
  sony('PlayStation, mode 2', slus, (n) => plain(makeRaw(psx(n), 2), '.bin')),
  sony('PlayStation, cue', slus, (n, name) => cue(makeRaw(psx(n), 2), name, 'MODE2/2352')),
  sony('PlayStation 2, 2048', slus, (n) => plain(ps2(n)), ' 2'),
  sony('PlayStation 2, mode 1', slus, (n) => plain(makeRaw(ps2(n), 1), '.iso'), ' 2'),
  sony('PlayStation 2, mode 2', slus, (n) => plain(makeRaw(ps2(n), 2), ''), ' 2'),
  sony('PlayStation 2, cue', slus, (n, name) => cue(makeRaw(ps2(n), 2), name, 'MODE2/2352'), ' 2'),
  ...(['GameCube', 'Wii'] as const).flatMap((console) => {
    const image = console === 'Wii' ? wii : gameCube;
    const platform = `Nintendo - ${console}`;
    const code = (n: number) => image(n).toString('latin1', 0, 4);
    const printed = (n: number) =>
      console === 'Wii' ? `RVL-${code(n)}-EUR` : `DL-DOL-${code(n)}-USA`;
    return [
      own(console, platform, printed, (n) => plain(image(n), '.bin')),
      own(
        `${console}, RVZ`,
        platform,
        (n) => image(n).toString('latin1', 0, 6),
        (n) => rvz(image(n), 'RVZ'),
      ),
      own(`${console}, WIA`, platform, printed, (n) => rvz(image(n), 'WIA')),
    ];
  }),
  own('GCZ', 'Nintendo - GameCube', printedGameCube, (n) => packed(gameCube(n), makeGcz, '.gcz')),
  {
    ...own('NKit', 'Nintendo - GameCube', null, (n) => nkit(gameCube(n))),
    stated: 'crc32',
    neverHashed: 1,
  },
  own(
    'Saturn',
    'Sega - Saturn',
    (n) => `81${n}`,
    (n) => plain(saturn(n)),
  ),
  own(
    'Saturn, cue',
    'Sega - Saturn',
    (n) => `MK-81${n}`,
    (n, name) => cue(makeRaw(saturn(n), 1), name, 'MODE1/2352'),
  ),
  own(
    'Mega-CD',
    'Sega - Mega-CD - Sega CD',
    (n) => `T-93${n}`,
    (n) => plain(megaCd(n)),
  ),
  own(
    'Mega-CD, raw',
    'Sega - Mega-CD - Sega CD',
    (n) => `T-93${n}`,
    (n) => plain(makeRaw(megaCd(n), 1), '.bin'),
  ),
  own(
    'Dreamcast, cue',
    'Sega - Dreamcast',
    (n) => `T-36${n}N`,
    (n, name) => cue(makeRaw(dreamcast(n), 1), name, 'MODE1/2352'),
  ),
  own(
    'Dreamcast, gdi',
    'Sega - Dreamcast',
    (n) => `T-36${n}N`,
    (n, name) => gdi(makeRaw(dreamcast(n), 1), name),
  ),
  ...burners,
  ...chds,
  ...archives,
  ...chdsInArchives,
  ...csosInArchives,
  ...discsByMaxcso,
  ...oneBin,
  ...nintendoByWit,
  splitWbfs,
  ...nintendoByDolphin,
  ...otherDiscs,
  {
    ...sony('Parts', slus, (n) => parts(ps2(n)), ' 2'),
    neverHashed: 2,
  },
  ...dumps().map(({ what }, index) => own(what, 'Cartridges - Any', null, () => dumped(index))),
  own('iNES that is listed with its header', 'Cartridges - Any', null, () => {
    const { bytes } = dumps()[0] as Dump;
    return plain(bytes, '.bin');
  }),
];

const rvz = (image: Buffer, magic: 'RVZ' | 'WIA') =>
  packed(image, (disc) => makeRvz(disc, magic), `.${magic.toLowerCase()}`);
const nkit = (image: Buffer): Made => {
  const file = Buffer.from(image);
  file.write('NKIT v01', 0x200, 'latin1');
  file.writeUInt32BE(crc32(image), 0x208);
  file.writeUInt32BE(image.length, 0x210);
  return { files: { '.nkit.iso': file }, image, size: image.length };
};
const gdi = (track: Buffer, name: string): Made => ({
  files: {
    '.gdi': Buffer.from(`2\r\n1 0 4 2352 "none.bin" 0\r\n2 45000 4 2352 "${name}.bin" 0\r\n`),
    '.bin': track,
  },
  image: track,
  size: track.length,
});

/** Returns a dump with different contents on each call. */
function dumped(index: number): Made {
  const { bytes, listed } = dumps()[index] as Dump;
  return { files: { '.bin': bytes }, image: listed, size: bytes.length };
}

function umdVideo(n: number): Buffer {
  const files = {
    'UMD_DATA.BIN': `FILM ${n}|`,
    'UMD_VIDEO/PARAM.SFO': paramSfo({ TITLE: `${n}` }),
  };
  return makeIso(files, { sysid: 'UMD VIDEO' });
}

function pbp(n: number): Made {
  const sfo = paramSfo({ DISC_ID: `ULUS10${n}`, TITLE: 'T', CATEGORY: 'EG' });
  const empty = Buffer.alloc(0);
  const file = makePbp([
    sfo,
    empty,
    empty,
    empty,
    empty,
    empty,
    Buffer.from('psp'),
    Buffer.from('NPUMDIMG'),
  ]);
  return { files: { '.PBP': file }, image: file, size: null };
}

function psxPbp(n: number, image: Buffer): Buffer {
  return makePsxPbp(paramSfo({ DISC_ID: `SLUS20${n}`, TITLE: 'T', CATEGORY: 'ME' }), image);
}

function parts(image: Buffer): Made {
  const half = image.length / 2;
  const files = { '.iso.001': image.subarray(0, half), '.iso.002': image.subarray(half) };
  return { files, image, size: image.length };
}
