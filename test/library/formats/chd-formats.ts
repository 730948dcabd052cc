import { dirname } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { makeOldChd } from '../../support/images/chd.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { runTool } from '../../support/tools.ts';
import { dreamcast, megaCd, ps2, psp, psx, saturn, slus, ulus } from '../numbered-discs.ts';
import { type Format, type Made, onPsp, own, packed, packedBy, sony } from './format.ts';

/** CHDs of a CD, of a GD-ROM, and of images without tracks. */
export const chds: readonly Format[] = [
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
];

const oldChd = (image: Buffer) =>
  makeOldChd(image, { hunkBytes: 4096, pack: (hunk) => ({ packed: deflateRawSync(hunk) }) });

function chd(image: Buffer, more: readonly string[] = []): Made {
  const options = ['-hs', '4096', '-us', '2048', ...more];
  return packedBy({ image }, (to) => {
    runTool('chdman', ['createraw', '-i', 'image', '-o', to, ...options], dirname(to));
  });
}

/** Returns a CHD with a data track and a silent audio track. */
export function chdOfCd(image: Buffer, mode: string): Made {
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
