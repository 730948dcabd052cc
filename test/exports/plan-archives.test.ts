import { describe, expect, test } from 'vitest';
import type {
  ExportArchive,
  ExportFile,
  ExportRelease,
  ExportRom,
} from '../../src/core/exports/plan/export-release.ts';
import { planGames } from '../../src/core/exports/plan/plan-games.ts';
import type { LeftOut, PlannedGame } from '../../src/core/exports/plan/planned-game.ts';
import { TakenNames } from '../../src/core/exports/plan/safe-names.ts';
import { exportRelease, libraryFile, shippedProfiles } from '../support/exports/releases.ts';

const psx = 'Sony - PlayStation';
const psp = 'Sony - PlayStation Portable';
const gib = 2 ** 30;

/** A file in an archive: its name, and the number that stands for its content. */
type Inside = readonly [name: string, content: number, size?: number];

const sheetOrText = /\.(?:cue|gdi|ccd|mds|sub|txt)$/;
const crcOf = (content: number) => content.toString(16).padStart(8, '0');

/** Returns an archive of the library with these files. */
function archive(
  name: string,
  files: readonly Inside[],
  { more = {}, isOneDisc = true, isHashed = true }: ArchiveOptions = {},
): ExportFile {
  const members = files.map(([own, content, size = 1_000], index) => ({
    ...{ format: 'zip', index, name: own, size, crc32: crcOf(content), sha1: null },
    isImage: !sheetOrText.test(own),
  }));
  const images = members.filter(({ isImage }) => isImage);
  return libraryFile(name, {
    archive: { members, isOneDisc, isHashed },
    inside: { images: images.length, name: null },
    ...more,
  });
}

interface ArchiveOptions extends Partial<Pick<ExportArchive, 'isOneDisc' | 'isHashed'>> {
  readonly more?: Partial<ExportFile>;
}

const rom = (name: string, content: number, size = 1_000): ExportRom => {
  return { name, size, crc32: crcOf(content) };
};

async function plan(
  releases: readonly ExportRelease[],
  { profile: id = 'batocera', platform: name = psx, unpacks = true } = {},
): Promise<{ games: PlannedGame[]; leftOut: LeftOut[] }> {
  const profile = (await shippedProfiles()).get(id);
  const platform = profile.platforms.get(name);
  if (platform === undefined) throw new Error(`${id} has no ${name}`);
  const leftOut: LeftOut[] = [];
  const games: PlannedGame[] = [];
  const taken = new TakenNames(profile.fileSystem);
  const onLeftOut = (one: LeftOut) => void leftOut.push(one);
  const options = { profile, platform, taken, onLeftOut, rewritesSheets: true, unpacks };
  async function* batch() {
    yield releases;
  }
  for await (const game of planGames(batch(), options)) games.push(game);
  return { games, leftOut };
}

/** Returns the paths in the tree, each with the file of the archive that it is. */
const placed = ({ games }: { games: readonly PlannedGame[] }) =>
  games.flatMap(({ files }) =>
    files.map(({ path, source }) => [path, source.member?.name ?? null]),
  );

describe('the plan of an export with archives', () => {
  test('names the tracks as the DAT does, and gives equal tracks different names', async () => {
    const files = [
      archive('x.zip', [
        ['d/B.BIN', 2],
        ['d/A.BIN', 2],
        ['d/game.cue', 9],
        ['d/1.bin', 1],
      ]),
    ];
    const roms = [rom('G.cue', 9), rom('G (Track 1).bin', 1), rom('G 2.bin', 2), rom('G 3.bin', 2)];
    const planned = await plan([exportRelease('G', { files, roms })]);
    expect(placed(planned)).toEqual([
      ['G.cue', 'd/game.cue'],
      ['G 2.bin', 'd/B.BIN'],
      ['G 3.bin', 'd/A.BIN'],
      ['G (Track 1).bin', 'd/1.bin'],
    ]);
    expect(planned.games[0]?.files[0]?.memberNames).toEqual([
      { from: 'B.BIN', to: 'G 2.bin' },
      { from: 'A.BIN', to: 'G 3.bin' },
      { from: '1.bin', to: 'G (Track 1).bin' },
    ]);
  });

  test('keeps names that no DAT has, except for characters that the device forbids', async () => {
    const files = [
      archive('x.zip', [
        ['own.cue', 9],
        ['t?1.bin', 1],
      ]),
    ];
    const planned = await plan([exportRelease('G', { files })], { profile: 'onion' });
    expect(placed(planned)).toEqual([
      ['G/G.cue', 'own.cue'],
      ['G/t_1.bin', 't?1.bin'],
    ]);
  });

  test('takes only the files of the release from an archive with other files', async () => {
    const extras: Inside[] = [
      ['setup.exe', 5],
      ['read.txt', 6],
      ['Other.iso', 7],
      ['Game.iso', 1],
    ];
    const files = [archive('x.7z', extras, { isOneDisc: false })];
    const roms = [rom('Game (USA).iso', 1)];
    const release = exportRelease('Game (USA)', { files, roms });
    expect(placed(await plan([release], { platform: psp }))).toEqual([
      ['Game (USA).iso', 'Game.iso'],
    ]);
    // A disc of a set has its own sheet, and only that.
    const set: Inside[] = [
      ['1.cue', 11],
      ['1.bin', 1],
      ['2.cue', 12],
      ['2.bin', 2],
    ];
    const second = exportRelease('S (Disc 2)', {
      files: [archive('set.zip', set, { isOneDisc: false })],
      roms: [rom('S (Disc 2).cue', 12), rom('S (Disc 2).bin', 2)],
    });
    expect(placed(await plan([second]))).toEqual([
      ['S (Disc 2).cue', '2.cue'],
      ['S (Disc 2).bin', '2.bin'],
    ]);
  });

  test('gives a CloneCD image the name of its sheet', async () => {
    const files = [
      archive('x.rar', [
        ['a.IMG', 1],
        ['a.ccd', 2],
        ['a.sub', 3],
      ]),
    ];
    expect(placed(await plan([exportRelease('G', { files })]))).toEqual([
      ['G.ccd', 'a.ccd'],
      ['G.img', 'a.IMG'],
      ['G.sub', 'a.sub'],
    ]);
  });

  test('joins the discs of a game in several archives by a playlist', async () => {
    const discs = ['1', '2'].map((disc) =>
      exportRelease(`S (Disc ${disc})`, {
        files: [
          archive(`${disc}.zip`, [
            [`${disc}.cue`, 9],
            [`${disc}.bin`, Number(disc)],
          ]),
        ],
      }),
    );
    const { games } = await plan(discs);
    expect(games.map(({ playlist }) => playlist)).toEqual([['S (Disc 1).cue', 'S (Disc 2).cue']]);
  });

  test('takes the extension of a file without a name from its archive', async () => {
    const files = [archive('Some game.iso.gz', [['', 1]])];
    const planned = await plan([exportRelease('G', { files })], { platform: psp });
    expect(placed(planned)).toEqual([['G.iso', '']]);
  });

  test('gives two images with one name different names', async () => {
    const releases = ['x', 'y'].map((own, index) =>
      exportRelease('Same', {
        files: [archive(`${own}.zip`, [['a.iso', index]])],
        roms: [rom('Same.iso', index)],
      }),
    );
    expect(placed(await plan(releases, { platform: psp }))).toEqual([
      ['Same.iso', 'a.iso'],
      ['Same (2).iso', 'a.iso'],
    ]);
  });

  test('prefers a file that the device can open to unpacking an archive', async () => {
    const packed = archive('a.zip', [['a.iso', 1]]);
    const plain = libraryFile('z.cso');
    const release = exportRelease('G', { files: [packed, plain] });
    expect(placed(await plan([release], { platform: psp }))).toEqual([['G.cso', null]]);
    const read = exportRelease('G', { files: [archive('a.zip', [['a.gb', 1]])] });
    const handheld = { platform: 'Nintendo - Game Boy' };
    expect(placed(await plan([read], handheld))).toEqual([['G.zip', null]]);
  });

  const disc: readonly Inside[] = [
    ['a.cue', 9],
    ['a.bin', 1],
  ];
  const large: readonly Inside[] = [
    ['a.cue', 9],
    ['a.bin', 1, 4 * gib],
  ];

  test.each<[string, ExportFile, RegExp, (string | undefined)?]>([
    [
      'several images without a sheet',
      archive('a.zip', [
        ['1.bin', 1],
        ['2.bin', 2],
      ]),
      /^It contains 2 images$/,
    ],
    [
      'an image of another disc',
      archive('a.zip', [['a.chd', 1]], { isOneDisc: false }),
      /not the one of this/,
    ],
    ['only a sheet', archive('a.zip', [['a.cue', 1]]), /^It contains no image$/],
    [
      'an image that the device cannot open',
      archive('a.zip', [['a.ecm', 1]]),
      /does not open \.ecm/,
    ],
    [
      'names that differ in how letters are composed',
      archive('a.zip', [
        ['\u00e9.bin', 1],
        ['e\u0301.bin', 2],
        ['a.cue', 3],
      ]),
      /same name/,
    ],
    [
      'two equal names',
      archive('a.zip', [
        ['1/a.bin', 1],
        ['2/A.bin', 2],
        ['a.cue', 3],
      ]),
      /same name/,
    ],
    [
      'a sheet without its image',
      archive('a.zip', [
        ['a.ccd', 1],
        ['b.img', 2],
      ]),
      /no image of the/,
    ],
    [
      'a part of a split archive',
      archive('a.zip', disc, { more: { sheet: ['*.002'] } }),
      /in parts/,
    ],
    ['unknown content', archive('a.tar.gz', []), /no checksums yet: scan/],
    [
      'damage',
      archive('a.zip', disc, { more: { problem: 'it is cut' }, isHashed: false }),
      /^It is cut$/,
    ],
    ['an NKit image', archive('a.zip', disc, { more: { isNkit: true } }), /NKit/],
    [
      'an image of 4 GiB for FAT32',
      archive('a.zip', large),
      /^It has 4294967296 bytes, and files on FAT32/,
      'onion',
    ],
  ])('leaves out an archive with %s', async (_, file, why, profile = 'batocera') => {
    const { games, leftOut } = await plan([exportRelease('G', { files: [file] })], { profile });
    expect(games).toEqual([]);
    expect(leftOut).toMatchObject([{ why: expect.stringMatching(why), isUnpackable: false }]);
    const without = await plan([exportRelease('G', { files: [file] })], {
      profile,
      unpacks: false,
    });
    expect(without.leftOut).toMatchObject([{ file: file.name, isUnpackable: false }]);
  });

  test('allows unpacking a damaged image, and a large one if the device can store it', async () => {
    const damaged = archive('a.zip', disc, { more: { problem: 'its image is cut' } });
    expect((await plan([exportRelease('G', { files: [damaged] })])).leftOut).toEqual([]);
    const files = [archive('a.zip', large)];
    expect((await plan([exportRelease('G', { files })])).leftOut).toEqual([]);
    const { leftOut } = await plan([exportRelease('G', { files })], { unpacks: false });
    expect(leftOut).toMatchObject([{ file: 'a.zip', isUnpackable: true }]);
  });
});
