import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { type ArchiveKind, archiveKinds } from '../support/archives.ts';
import {
  makeCcd,
  makeCdi,
  makeEcm,
  makeMds,
  makeNrg,
  withDetection,
} from '../support/burner-images.ts';
import { type Dump, dumps } from '../support/cartridges.ts';
import { withCorrection } from '../support/cd-tracks.ts';
import { makeOldChd } from '../support/chd.ts';
import { makeIso, nintendoImage, paramSfo, systemArea } from '../support/disc-images.ts';
import { gameCubeDisc } from '../support/nintendo-discs.ts';
import {
  blurayId,
  jaguarTrack,
  neoGeoFiles,
  plainDisc,
  ps3Sfb,
  xbe,
  xex,
  xiso,
} from '../support/other-discs.ts';
import { makeCso, makeDax, makeGcz, makePbp, makeRaw, makeRvz } from '../support/packed-images.ts';
import { runTool, type Tool } from '../support/tools.ts';
import { makeUdf } from '../support/udf-images.ts';

/** The files of one disc. */
export interface Made {
  /** By ending; the first is the disc, the others are what it needs beside it. */
  readonly files: Readonly<Record<string, Buffer>>;
  /** What DATs list of it: the image inside a packed file, the track beside a sheet. Null where only a tool unpacks it. */
  readonly image: Buffer | null;
  /** Bytes of the image, as far as the file tells; null when it does not. */
  readonly size: number | null;
}

export interface Format {
  readonly label: string;
  readonly platform: string;
  readonly tools: readonly Tool[];
  /** As DATs print it, for the number; null for a format that states none. */
  readonly serial: ((n: number) => string) | null;
  /** How a dump that the DAT knows is found before anything was hashed: by what the container states. */
  readonly stated?: 'sha1' | 'crc32';
  /** How many of its files are never hashed. */
  readonly neverHashed?: number;
  /** Whether none of the release's ROMs is what a file is as a whole, by its name. */
  readonly hasNoName?: (name: string) => boolean;
  /** Whether the serial is known only when everything was unpacked. */
  readonly isLate?: boolean;
  /** A disc of its own for each number from 100 to 999. Sheets name the file beside them by `name`. */
  make(n: number, name: string): Made;
}

const psp = (n: number) =>
  makeIso(
    {
      'UMD_DATA.BIN': `ULUS-10${n}|0123456789ABCDEF|0001|G               |`,
      'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: `ULUS10${n}`, TITLE: 'T', CATEGORY: 'UG' }),
      'PSP_GAME/USRDIR/DATA.BIN': Buffer.alloc(50_000, `data of ${n}. `),
    },
    { sysid: 'PSP GAME' },
  );
const playStation = (boot: string, n: number) =>
  makeIso({
    'SYSTEM.CNF': `${boot}:\\SLUS_20${String(n)[0]}.${String(n).slice(1)};1\r\n`,
    'A.BIN': `${n}`,
  });
const psx = (n: number) => playStation('BOOT = cdrom', n);
const ps2 = (n: number) => playStation('BOOT2 = cdrom0', n);
const sega = (fields: Record<number, string>, n: number) =>
  Buffer.concat([systemArea(fields), Buffer.alloc(30 * 2048, `${n} `)]);
const saturn = (n: number) => sega({ 0: 'SEGA SEGASATURN ', 32: `MK-81${n}  V1.000` }, n);
const megaCd = (n: number) => sega({ 0: 'SEGADISCSYSTEM  ', 384: `GM T-93${n} -00` }, n);
const dreamcast = (n: number) => sega({ 0: 'SEGA SEGAKATANA ', 64: `T-36${n}N  V1.000` }, n);
const gameCube = (n: number) =>
  nintendoImage(`G${n.toString(36).toUpperCase()}E69`, `${n}`, 'gamecube');
const wii = (n: number) => nintendoImage(`R${n.toString(36).toUpperCase()}P01`, `${n}`, 'wii');

const printedGameCube = (n: number) => `DL-DOL-${gameCube(n).toString('latin1', 0, 4)}-USA`;

const plain = (image: Buffer, ending = '.iso'): Made => ({
  files: { [ending]: image },
  image,
  size: image.length,
});
const packed = (image: Buffer, pack: (image: Buffer) => Buffer, ending: string): Made => ({
  files: { [ending]: pack(image) },
  image,
  size: image.length,
});
const rvz = (image: Buffer, magic: 'RVZ' | 'WIA') =>
  packed(image, (disc) => makeRvz(disc, magic), `.${magic.toLowerCase()}`);
const nkit = (image: Buffer): Made => {
  const file = Buffer.from(image);
  file.write('NKIT v01', 0x200, 'latin1');
  file.writeUInt32BE(crc32(image), 0x208);
  file.writeUInt32BE(image.length, 0x210);
  return { files: { '.nkit.iso': file }, image, size: image.length };
};
const cue = (track: Buffer, name: string, mode: string): Made => ({
  files: {
    '.cue': Buffer.from(
      `FILE "${name}.bin" BINARY\r\n  TRACK 01 ${mode}\r\n    INDEX 01 00:00:00\r\n`,
    ),
    '.bin': track,
  },
  image: track,
  size: track.length,
});
const gdi = (track: Buffer, name: string): Made => ({
  files: {
    '.gdi': Buffer.from(`2\r\n1 0 4 2352 "none.bin" 0\r\n2 45000 4 2352 "${name}.bin" 0\r\n`),
    '.bin': track,
  },
  image: track,
  size: track.length,
});

/** With contents of its own at each call. */
function dumped(index: number): Made {
  const { bytes, listed } = dumps()[index] as Dump;
  return { files: { '.bin': bytes }, image: listed, size: bytes.length };
}

const sony = (label: string, serial: Format['serial'], make: Format['make'], of = ''): Format => ({
  label,
  platform: `Sony - PlayStation${of}`,
  tools: ['xorriso'],
  serial,
  make,
});
const own = (label: string, platform: string, serial: Format['serial'], make: Format['make']) =>
  ({ label, platform, tools: [], serial, make }) satisfies Format;

const ulus = (n: number) => `ULUS-10${n}`;
const slus = (n: number) => `SLUS-20${n}`;
const onPsp = ' Portable';

/** No program here makes these: test/support/burner-images.ts does, from the formats' descriptions. */
const burners = Object.entries<(track: Buffer) => Made>({
  CloneCD: (track) => {
    const ccd = Buffer.from(makeCcd([{ content: track, isAudio: false }]));
    return { ...plain(track), files: { '.ccd': ccd, '.img': track, '.sub': subchannels(track) } };
  },
  'Alcohol, 2352': (track) => alcohol(track, 0),
  'Alcohol, 2448': (track) => alcohol(track, 96),
  Nero: (track) => packed(track, (content) => makeNrg([{ content, isAudio: false }]), '.dat'),
  DiscJuggler: (track) =>
    packed(track, (content) => makeCdi([{ content, isAudio: false }]), '.dat'),
  ECM: (track) => ({
    ...packed(track, (bytes) => makeEcm([{ kind: 1, bytes }]), '.dat'),
    size: null,
  }),
}).map(([label, make]) =>
  own(
    label,
    'Sega - Saturn',
    (n) => `81${n}`,
    (n) => make(withCorrection(withDetection(makeRaw(saturn(n), 1)))),
  ),
);

function alcohol(content: Buffer, subchannels: 0 | 96): Made {
  const { mds, mdf } = makeMds([{ content, isAudio: false }], subchannels);
  return { files: { '.mds': mds, '.mdf': mdf }, image: content, size: content.length };
}

/** Of a disc of its own, so that no two are alike. */
function subchannels(track: Buffer): Buffer {
  return Buffer.concat([track.subarray(16, 112), Buffer.alloc(96 * (track.length / 2352 - 1))]);
}

/** CHDs of a CD, unpacked to a file to be read. */
const chdsInArchives = archiveKinds
  .filter(({ label }) => label === 'zip' || label === '7z, solid')
  .map((kind): Format => {
    const make = (n: number) => {
      const { files, image } = chdOfCd(makeRaw(psx(n), 2), 'MODE2/2352');
      return { ...archive(kind, files['.chd'] as Buffer), image, size: null };
    };
    const tools = ['xorriso', 'chdman', ...kind.tools] as const;
    return { ...sony(`CHD in a ${kind.label}`, slus, make), tools, isLate: !kind.tellsStart };
  });

/** What an image in an archive packs is hashed, not the image as it is packed. */
const csosInArchives = archiveKinds
  .filter(({ label }) => label === 'zip' || label === '7z, solid' || label === 'RAR 5')
  .map((kind): Format => {
    const make = (n: number) => {
      const iso = psp(n);
      return { ...archive(kind, makeCso(iso)), image: iso, size: null };
    };
    const tools = ['xorriso', ...kind.tools] as const;
    const format = { ...sony(`CSO in a ${kind.label}`, ulus, make, onPsp), tools };
    return { ...format, isLate: !kind.tellsStart };
  });

/** One `.bin` with all tracks of a disc, of which DATs list each; beside its sheet, and with it in archives. */
const oneBin: readonly Format[] = [
  {
    ...sony('cue and one BIN', slus, (n, name) => {
      const { image, whole, sheet } = mergedDisc(n, `${name}.bin`);
      return { files: { '.cue': sheet, '.bin': whole }, image, size: whole.length };
    }),
    hasNoName: (file) => file.endsWith('.bin'),
  },
  ...archiveKinds
    .filter(
      ({ isSingle, container }) => !isSingle && ['zip', '7z', 'rar', 'gz'].includes(container),
    )
    .map((kind): Format => {
      const make = (n: number) => {
        const { image, whole, sheet } = mergedDisc(n, 'm.bin');
        const files = { 'm.bin': whole, 'm.cue': sheet };
        return {
          ...packed(image, () => inFolder((work) => kind.make(files, work)), '.xyz'),
          size: null,
        };
      };
      const tools = ['xorriso', ...kind.tools] as const;
      const label = `cue and one BIN in a ${kind.label}`;
      return { ...sony(label, slus, make), tools, isLate: !kind.tellsStart };
    }),
];

function mergedDisc(n: number, name: string) {
  const image = makeRaw(psx(n), 2);
  const second = Buffer.alloc(30 * 2352, `tune ${n}`);
  const at = (sector: number) => {
    const [minutes, seconds] = [Math.floor(sector / 4500), Math.floor(sector / 75) % 60];
    return [minutes, seconds, sector % 75].map((part) => `${part}`.padStart(2, '0')).join(':');
  };
  const start = image.length / 2352;
  const sheet =
    `FILE "${name}" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n` +
    `  TRACK 02 AUDIO\r\n    INDEX 00 ${at(start)}\r\n    INDEX 01 ${at(start + 10)}\r\n`;
  return { image, whole: Buffer.concat([image, second]), sheet: Buffer.from(sheet) };
}

/** Of a WBFS or CISO the padding is missing: nothing tells what DATs list. */
const nintendoByWit = (['wdf1', 'wdf2', 'ciso', 'wbfs'] as const).map((form): Format => {
  const isWhole = form.startsWith('wdf');
  const make = (n: number) => {
    const disc = gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 });
    const options = isWhole ? ['--psel', 'raw'] : [];
    const made = packedBy(
      { image: disc },
      (to) => {
        runTool('wit', ['copy', ...options, `--${form}`, 'image', '-d', to], dirname(to));
      },
      `.${form}`,
    );
    return isWhole ? made : { ...made, image: null, size: null };
  };
  const format = own(form.toUpperCase(), 'Nintendo - GameCube', printedGameCube, make);
  return { ...format, tools: ['wit'], ...(isWhole ? {} : { neverHashed: 2 }) };
});

/** In two files, of which the second goes on where the first ends. */
const splitWbfs: Format = {
  ...own('WBFS, split', 'Nintendo - GameCube', printedGameCube, (n) => {
    const disc = gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 });
    const { files } = packedBy(
      { image: disc },
      (to) => runTool('wit', ['copy', '--wbfs', 'image', '-d', to], dirname(to)),
      '.wbfs',
    );
    const whole = files['.wbfs'] as Buffer;
    const parts = { '.wbfs': whole.subarray(0, -4096), '.wbf1': whole.subarray(-4096) };
    return { files: parts, image: null, size: null };
  }),
  tools: ['wit'],
  neverHashed: 4,
};

const discsByMaxcso = (['cso1', 'cso2', 'zso', 'dax'] as const).map((form): Format => {
  const make = (n: number) =>
    packedBy(
      { image: psp(n) },
      (to) => {
        runTool('maxcso', [`--format=${form}`, 'image', '-o', to], dirname(to));
      },
      `.${form.slice(0, 3)}`,
    );
  const format = sony(`${form.toUpperCase()} by maxcso`, ulus, make, onPsp);
  return { ...format, tools: ['xorriso', 'maxcso'] };
});

const nintendoByDolphin = (['rvz', 'wia', 'gcz'] as const).map((form): Format => {
  const packing = { rvz: ['-c', 'zstd', '-l', '5'], wia: ['-c', 'lzma', '-l', '5'], gcz: [] }[form];
  const size = ['-b', form === 'gcz' ? '32768' : form === 'wia' ? '2097152' : '131072'];
  const make = (n: number) =>
    packedBy(
      { image: gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 }) },
      (to) => {
        const options = ['-i', 'image', '-o', to, '-f', form, ...size, ...packing];
        runTool('dolphin-tool', ['convert', ...options], dirname(to));
      },
      `.${form}`,
    );
  const label = `${form.toUpperCase()} by Dolphin`;
  return { ...own(label, 'Nintendo - GameCube', printedGameCube, make), tools: ['dolphin-tool'] };
});

/** Of which some state no serial. */
const otherDiscs: readonly Format[] = [
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

/** Every format that is read, with endings that are right, wrong, or say nothing. */
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
  {
    ...sony('CHD of a DVD, by the SHA-1 it states', null, (n) => chd(ps2(n)), ' 2'),
    tools: ['xorriso', 'chdman'],
    stated: 'sha1',
  },
  {
    ...sony('CHD of version 4', ulus, (n) => packed(psp(n), oldChd, '.chd'), onPsp),
    stated: 'sha1',
  },
  ...[
    sony('CHD of a PSP disc', ulus, (n) => chd(psp(n), ['-c', 'none']), onPsp),
    sony('CHD of a PlayStation disc', slus, (n) => chdOfCd(makeRaw(psx(n), 2), 'MODE2/2352')),
    sony('CHD of a PlayStation 2 CD', slus, (n) => chdOfCd(makeRaw(ps2(n), 2), 'MODE2/2352'), ' 2'),
    own(
      'CHD of a Saturn disc',
      'Sega - Saturn',
      (n) => `81${n}`,
      (n) => chdOfCd(makeRaw(saturn(n), 1), 'MODE1/2352'),
    ),
    own(
      'CHD of a Mega-CD disc, 2048',
      'Sega - Mega-CD - Sega CD',
      (n) => `T-93${n}`,
      (n) => chdOfCd(megaCd(n), 'MODE1/2048'),
    ),
    own(
      'CHD of a Dreamcast disc',
      'Sega - Dreamcast',
      (n) => `T-36${n}N`,
      (n) => chdOfGdRom(makeRaw(dreamcast(n), 1)),
    ),
  ].map((format) => ({ ...format, tools: ['xorriso', 'chdman'] as const })),
  ...archiveKinds.map((kind) => ({
    ...sony(kind.label, slus, (n) => archive(kind, ps2(n)), ' 2'),
    tools: ['xorriso', ...kind.tools] as const,
    ...(kind.lists === 'sums' ? { stated: 'crc32' as const } : {}),
    isLate: !kind.tellsStart,
  })),
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

/** With what is often beside it; of formats of one file that alone. */
function archive({ make, isSingle }: ArchiveKind, image: Buffer): Made {
  const files = isSingle ? { image } : { 'read me.txt': Buffer.from('read me'), image };
  return packed(image, () => inFolder((work) => make(files, work)), '.xyz');
}

function inFolder<Result>(use: (work: string) => Result): Result {
  const work = mkdtempSync(join(tmpdir(), 'catalog-format-'));
  try {
    return use(work);
  } finally {
    rmSync(work, { recursive: true });
  }
}

const oldChd = (image: Buffer) =>
  makeOldChd(image, { hunkBytes: 4096, pack: (hunk) => ({ packed: deflateRawSync(hunk) }) });

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

function chd(image: Buffer, more: readonly string[] = []): Made {
  const options = ['-hs', '4096', '-us', '2048', ...more];
  return packedBy({ image }, (to) => {
    runTool('chdman', ['createraw', '-i', 'image', '-o', to, ...options], dirname(to));
  });
}

/** A track with data, and one with sound that is silent. */
function chdOfCd(image: Buffer, mode: string): Made {
  const sheet = (name: string, track: string) => `FILE "${name}" BINARY\r\n  TRACK ${track}\r\n`;
  const index = '    INDEX 01 00:00:00\r\n';
  const cue = sheet('image', `01 ${mode}`) + index + sheet('sound', '02 AUDIO') + index;
  return packedBy({ image, sound: Buffer.alloc(301 * 2352), 'x.cue': Buffer.from(cue) }, (to) => {
    runTool('chdman', ['createcd', '-i', 'x.cue', '-o', to], dirname(to));
  });
}

function chdOfGdRom(image: Buffer): Made {
  const gdi = '3\n1 0 4 2352 first 0\n2 450 0 2352 sound 0\n3 45000 4 2352 image 0\n';
  const files = {
    image,
    first: makeRaw(Buffer.alloc(300 * 2048), 1),
    sound: Buffer.alloc(301 * 2352),
    'x.gdi': Buffer.from(gdi),
  };
  return packedBy(files, (to) => {
    runTool('chdman', ['createcd', '-i', 'x.gdi', '-o', to], dirname(to));
  });
}

/** What a tool makes of files in a folder, of which `image` is what DATs list. */
function packedBy(
  files: Readonly<Record<string, Buffer>> & { image: Buffer },
  run: (to: string) => void,
  ending = '.chd',
): Made {
  return inFolder((work) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(work, name), content);
    const to = join(work, `out${ending}`);
    run(to);
    return packed(files.image, () => readFileSync(to), ending);
  });
}

function ps3(n: number): Buffer {
  const sfo = paramSfo({ TITLE_ID: `BLES00${n}`, TITLE: `${n}`, VERSION: '01.00' });
  return makeIso({ 'PS3_DISC.SFB': ps3Sfb(`BLES-00${n}`), 'PS3_GAME/PARAM.SFO': sfo });
}

function parts(image: Buffer): Made {
  const half = image.length / 2;
  const files = { '.iso.001': image.subarray(0, half), '.iso.002': image.subarray(half) };
  return { files, image, size: image.length };
}
