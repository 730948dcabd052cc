import type { RowText } from '../imports/support/dat-text.ts';
import { zipOf } from '../imports/support/zip-file.ts';
import { nintendoImage, systemArea } from '../support/images/disc-images.ts';
import { makeRaw } from '../support/images/packed-images.ts';
import { romOf } from './library-fixture.ts';

/**
 * The match of a file: its release, the method, and its canonical name; null if there is no match.
 */
type Found = readonly [release: string, method: string, canonical: string | null] | null;

/** Files that could be matched with an incorrect release. */
export interface WrongReleaseCase {
  readonly what: string;
  readonly platform: string;
  readonly rows: readonly RowText[];
  /** The content, the match before hashing, and the match after hashing, by file name. */
  readonly files: Readonly<Record<string, readonly [content: Buffer, first: Found, second: Found]>>;
  /** Number of files that match several releases equally, before and after hashing. */
  readonly tied?: readonly [number, number];
}

const gameCube = (id: string, form: { disc?: number; revision?: number } = {}) =>
  nintendoImage(id, `${id} ${form.disc} ${form.revision}`, 'gamecube', { revision: 0, ...form });
const saturn = (product: string, more: Record<number, string> = {}, seed = product) => {
  const fields = { 0: 'SEGA SEGASATURN ', 32: `${product.padEnd(10)}V1.000`, ...more };
  return Buffer.concat([systemArea(fields), Buffer.alloc(20 * 2048, `${seed} `)]);
};

/**
 * Returns a DAT row whose ROM has the size of the passed image but other hashes. Only the serial
 * can therefore match.
 */
const listed = (name: string, serial: string, { length }: Buffer, region = ''): RowText => {
  const { crc, md5, sha1 } = romOf(`another dump of ${name}`, '');
  return { name, serial, region, roms: [{ name: `${name}.iso`, size: length, crc, md5, sha1 }] };
};
const found = (name: string, method = 'serial'): Found => [name, method, `${name}.iso`];
/** Returns an expectation with the same match before and after hashing. */
const always = (content: Buffer, is: Found) => [content, is, is] as const;

const disc = (number: number) => gameCube('GZAE69', { disc: number });
const revision = (number: number) => gameCube('GZBE69', { revision: number });
const region = gameCube('GZCP69');
const area = (symbol: string) => saturn('T-9903G', { 64: symbol }, symbol);
const unlisted = gameCube('GZXE69');

const game = (seed: string, product: string) => makeRaw(saturn(product, {}, seed), 1);
const shared = Buffer.alloc(20 * 2352, 'the same tune ');
const sheet = (...bins: string[]) =>
  Buffer.from(
    bins
      .map((bin, i) => {
        const mode = i === 0 ? 'MODE1/2352' : 'AUDIO';
        return `FILE "${bin}" BINARY\n  TRACK 0${i + 1} ${mode}\n    INDEX 01 00:00:00\n`;
      })
      .join(''),
  );
const [one, two] = [game('one', 'T-9904G'), game('two', 'T-9905G')];
const withShared = (name: string, data: Buffer): RowText => ({
  name,
  roms: [romOf(data, `${name} (Track 1).bin`), romOf(shared, `${name} (Track 2).bin`)],
});
const track = (name: string, number: number): Found => [
  name,
  'sha1',
  `${name} (Track ${number}).bin`,
];

const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 7) >> 5));
const printed = 'DL-DOL-GZCP';

/** All cases in which earlier versions matched files with an incorrect release. */
export const wrongReleaseCases: readonly WrongReleaseCase[] = [
  {
    what: 'two discs with one id',
    platform: 'Nintendo - GameCube',
    rows: [1, 2].map((n) => listed(`Discs (USA) (Disc ${n})`, 'DL-DOL-GZAE-USA', disc(0))),
    files: {
      'w11.iso': always(disc(0), found('Discs (USA) (Disc 1)')),
      'w12.iso': always(disc(1), found('Discs (USA) (Disc 2)')),
      'w13.iso': always(disc(2), null),
    },
  },
  {
    what: 'two discs with one id, of Saturn',
    platform: 'Sega - Saturn',
    rows: [1, 2].map((n) => listed(`CDs (Japan) (Disc ${n})`, 'T-9901G', area('J'))),
    files: {
      'w14.bin': always(saturn('T-9901G', { 56: 'CD-1/2' }, '1'), found('CDs (Japan) (Disc 1)')),
      'w15.bin': always(saturn('T-9901G', { 56: 'CD-2/2' }, '2'), found('CDs (Japan) (Disc 2)')),
    },
  },
  {
    what: 'two revisions with one id',
    platform: 'Nintendo - GameCube',
    rows: ['Revised (USA)', 'Revised (USA) (Rev 1)'].map((name) =>
      listed(name, 'DL-DOL-GZBE-USA', disc(0)),
    ),
    files: {
      'w21.iso': always(revision(0), found('Revised (USA)')),
      'w22.iso': always(revision(1), found('Revised (USA) (Rev 1)')),
      'w23.iso': always(revision(2), null),
    },
    tied: [1, 1],
  },
  {
    what: 'two regions with one id',
    platform: 'Sega - Saturn',
    rows: ['USA', 'Japan'].map((name) => listed(`Area (${name})`, 'T-9903G', area('J'), name)),
    files: {
      'w31.bin': always(area('U'), found('Area (USA)')),
      'w32.bin': always(area('J'), found('Area (Japan)')),
      'w33.bin': always(area('E'), null),
    },
  },
  {
    what: 'two regions with one id that the disc does not distinguish',
    platform: 'Nintendo - GameCube',
    rows: [
      listed('Euro (Germany)', `${printed}-NOE`, region),
      { name: 'Euro (UK)', serial: `${printed}-UKV`, roms: [romOf(region, 'Euro (UK).iso')] },
    ],
    files: { 'w34.iso': [region, null, found('Euro (UK)', 'sha1')] },
    tied: [1, 0],
  },
  {
    what: 'tracks shared by two games',
    platform: 'Sega - Saturn',
    rows: [withShared('First', one), withShared('Second', two)],
    files: {
      'w41.cue': [sheet('w41a.bin', 'w41b.bin'), null, ['First', 'sha1', null]],
      'w41a.bin': [one, null, track('First', 1)],
      'w41b.bin': [shared, null, track('First', 2)],
      'w42.cue': [sheet('w42a.bin', 'w42b.bin'), null, ['Second', 'sha1', null]],
      'w42a.bin': [two, null, track('Second', 1)],
      'w42b.bin': [shared, null, track('Second', 2)],
    },
  },
  {
    what: 'a serial that the DAT does not have',
    platform: 'Nintendo - GameCube',
    rows: [listed('Other serial (USA)', 'DL-DOL-GZYE-USA', disc(0))],
    files: {
      'w51.iso': always(unlisted, null),
      'Other serial (USA).iso': always(unlisted, null),
    },
  },
  {
    what: "noise with a release's name",
    platform: 'Nintendo - GameCube',
    rows: [listed('Noise (USA)', 'DL-DOL-GZZE-USA', disc(0))],
    files: {
      // until the file is hashed, only its name can match
      'Noise (USA).bin': [noise, found('Noise (USA)', 'name'), null],
      'Noise (USA).zip': [
        zipOf([{ name: 'x.bin', content: noise }]),
        found('Noise (USA)', 'name'),
        null,
      ],
    },
  },
];
