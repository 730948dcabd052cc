import { describe, expect, test } from 'vitest';
import { discList } from '../../src/core/exports/write/disc-list.ts';
import { readDate } from '../../src/core/exports/write/release-date.ts';
import { xmlText } from '../../src/core/exports/write/xml-text.ts';
import { readGamelist } from '../support/exports/gamelist.ts';
import { readPegasus, shownText } from '../support/exports/pegasus.ts';
import { exportRelease, openedSet } from '../support/exports/releases.ts';
import { exported, leftOutOf } from './exported.ts';

const psx = 'Sony - PlayStation';
/** Texts with every character that one of the formats treats in its own way. */
const oddTexts = [
  'Tom & Jerry <b> > "quotes" \'single\' `tick`',
  '  begins and ends with blanks  ',
  'bell \u0007, null \u0000, escape \u001b[31m, delete \u007f',
  'lone \ud83d surrogate, whole \u{1F600}, \ufffe\uffff',
  'back\\slash and \\n that is no break',
  'two\nlines\r\n\r\nand a paragraph',
  '# no comment: key: value',
  '.',
  'ファイナルファンタジー',
  ']]>&amp;<!--',
];
const odd = oddTexts.map((text, i) =>
  exportRelease(`${i} ${text}`, {
    title: text,
    synopsis: text,
    developer: text,
    releaseDate: ['2006', '2006-04', '2006-04-27', 'soon'][i % 4] ?? '',
    region: 'Japan, USA',
    franchise: text,
  }),
);
const whole = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replace(/\r\n?/g, '\n')
    .trim();

describe('gamelist.xml', () => {
  test('keeps all characters that XML allows, and drops the others', async () => {
    const files = await exported('es-de', { [psx]: odd });
    const games = readGamelist(files.get('gamelists/psx/gamelist.xml') ?? '', 'es-de');
    expect(games.map(({ desc }) => desc)).toEqual(oddTexts.map(whole));
    expect(games.map(({ name }) => name)).toEqual(oddTexts.map(whole));
    expect(xmlText('a\u0001b\ud800c')).toBe('abc');
  });

  test('completes partial dates, and leaves out invalid ones', async () => {
    const files = await exported('es-de', { [psx]: odd });
    const games = readGamelist(files.get('gamelists/psx/gamelist.xml') ?? '', 'es-de');
    const days = ['20060101', '20060401', '20060427'].map((day) => `${day}T000000`);
    expect(games.slice(0, 4).map(({ releasedate }) => releasedate)).toEqual([...days, undefined]);
    expect(readDate('2006-13')).toEqual({ year: '2006', month: null, day: null });
    expect(readDate('0000')).toBeNull();
  });

  test('names the pictures and the first region with a code for Batocera', async () => {
    const [first = exportRelease('')] = odd;
    const files = await exported('batocera', { [psx]: odd }, { covered: [first] });
    const games = readGamelist(files.get('psx/gamelist.xml') ?? '', 'batocera');
    const path = games[0]?.path?.replace(/\.chd$/, '');
    const picture = `./images/${path?.slice(2)}-thumb.png`;
    expect(games[0]).toMatchObject({ image: picture, thumbnail: picture, region: 'jp' });
    expect(files.get(`psx/${picture.slice(2)}`)).toBe('cover');
    expect(games[1]).not.toHaveProperty('image');
  });

  test('lists the folder of a game on several discs on ES-DE, the playlist elsewhere', async () => {
    const discs = [1, 2].map((number) => exportRelease(`Saga (Disc ${number})`));
    const esde = await exported('es-de', { [psx]: discs });
    const [one] = readGamelist(esde.get('gamelists/psx/gamelist.xml') ?? '', 'es-de');
    expect(one).toMatchObject({ path: './Saga.m3u', name: 'Saga' });
    expect(esde.get('ROMs/psx/Saga.m3u/Saga.m3u')).toBe('Saga (Disc 1).chd\nSaga (Disc 2).chd\n');
    const batocera = await exported('batocera', { [psx]: discs });
    const [other] = readGamelist(batocera.get('psx/gamelist.xml') ?? '', 'batocera');
    expect(other?.path).toBe('./Saga.m3u');
    expect(batocera.get('psx/Saga.m3u')).toBe('Saga (Disc 1).chd\nSaga (Disc 2).chd\n');
  });
});

describe('metadata.pegasus.txt', () => {
  test('shows every text as it is, in the grammar of Pegasus', async () => {
    const files = await exported('pegasus', { [psx]: odd });
    const { collections, games } = readPegasus(files.get('psx/metadata.pegasus.txt') ?? '');
    expect(collections.map((each) => Object.fromEntries(each))).toEqual([
      { collection: 'PlayStation', shortname: 'psx' },
    ]);
    const texts = oddTexts.map((text) =>
      text
        .toWellFormed()
        .replace(/\r\n?/g, '\n')
        .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, ' ')
        .trim()
        .replaceAll('\\n', '\\\u200bn'),
    );
    expect(games.map((game) => shownText(game.get('description') ?? ''))).toEqual(texts);
    expect(games.map((game) => game.get('release'))).toEqual(
      odd.map(({ releaseDate }) => (releaseDate === 'soon' ? undefined : releaseDate)),
    );
  });

  test('names pictures, and files with colons, by paths relative to itself', async () => {
    const game = exportRelease('http: the game');
    const files = await exported('pegasus', { [psx]: [game] }, { covered: [game] });
    const { games } = readPegasus(files.get('psx/metadata.pegasus.txt') ?? '');
    expect(games[0]?.get('file')).toBe('./http: the game.chd');
    expect(games[0]?.get('assets.box_front')).toBe('./media/http: the game/boxFront.png');
    expect(files.get('psx/media/http: the game/boxFront.png')).toBe('cover');
  });
});

describe('a playlist of RetroArch', () => {
  test('is valid JSON with the path and checksum of every game', async () => {
    const rom = (name: string, size: number, crc32: string) => ({ name, size, crc32 });
    const roms = [rom('a.cue', 9, '00000001'), rom('a (Track 1).bin', 900, '01ace2ab')];
    const games = [
      ...odd,
      exportRelease('With CRC', { roms }),
      exportRelease('With serial', { serial: 'ULES-00288, ULES-00289' }),
    ];
    const files = await exported('retroarch', { [psx]: games });
    const text = files.get(`playlists/${psx}.lpl`) ?? '';
    const list = JSON.parse(text);
    expect(list).toMatchObject({ version: '1.5', base_content_directory: '/roms', sort_mode: 0 });
    expect(list.items).toHaveLength(games.length);
    for (const item of list.items) {
      expect(item).toMatchObject({ core_path: 'DETECT', db_name: `${psx}.lpl` });
      expect(item.path.startsWith(`/roms/${psx}/`)).toBe(true);
      expect(JSON.stringify(item)).not.toMatch(/\\u00[01]|\\ud[89a-f]/);
    }
    const crcs = list.items.slice(-2).map((item: { crc32: string }) => item.crc32);
    expect(crcs).toEqual(['01ACE2AB|crc', 'ULES-00288|serial']);
    expect(list.items[0].crc32).toBe('DETECT');
  });

  test('has paths below the requested folder, also on Windows', async () => {
    const pathOf = async (romsPath: string) => {
      const files = await exported('retroarch', { [psx]: [exportRelease('A')] }, { romsPath });
      const { base_content_directory: base, items } = JSON.parse(
        files.get(`playlists/${psx}.lpl`) ?? '',
      );
      return [base, items[0].path];
    };
    expect(await pathOf('/storage/roms/')).toEqual(['/storage/roms', `/storage/roms/${psx}/A.chd`]);
    expect(await pathOf('D:\\Games')).toEqual(['D:\\Games', `D:\\Games\\${psx}\\A.chd`]);
    expect(await pathOf('E:\\')).toEqual(['E:', `E:\\${psx}\\A.chd`]);
    // RetroArch replaces the text of the base by its own folder, so the rest needs a separator.
    for (const root of ['/', '//']) expect(await pathOf(root)).toEqual(['/', `//${psx}/A.chd`]);
    expect(await pathOf('\\')).toEqual(['\\', `\\${psx}\\A.chd`]);
  });

  test('names pictures after labels, without the characters that RetroArch replaces', async () => {
    const game = exportRelease('A & B: "C" / D\\E? *<F>|`G`');
    const files = await exported('retroarch', { [psx]: [game] }, { covered: [game] });
    const path = `thumbnails/${psx}/Named_Boxarts/A _ B_ _C_ _ D_E_ __F___G_.png`;
    expect(files.get(path)).toBe('cover');
  });
});

describe('the writer of lists', () => {
  test('writes relative paths to a playlist of discs, and `./` before a name that starts with #', () => {
    expect(discList(['A (Disc 1).cue', '#B.chd'])).toBe('A (Disc 1).cue\n./#B.chd\n');
  });

  test('uses no vertical bar in names in playlists of discs', async () => {
    const discs = [1, 2].map((number) => exportRelease(`A|B (Disc ${number})`));
    const files = await exported('batocera', { [psx]: discs });
    expect(files.get('psx/A_B.m3u')).toBe('A_B (Disc 1).chd\nA_B (Disc 2).chd\n');
  });

  test('lists the games of all platforms in a collection of ES-DE', async () => {
    const platforms = { [psx]: [exportRelease('A')], 'Sega - Saturn': [exportRelease('B')] };
    const set = openedSet(platforms, { name: 'Best: of' });
    const files = await exported('es-de', platforms, { set });
    const lines = '%ROMPATH%/saturn/B.chd\n%ROMPATH%/psx/A.chd\n';
    expect(files.get('collections/custom-Best_ of.cfg')).toBe(lines);
  });
});

describe('left_out.json', () => {
  test('names each file with its reason, also of platforms that the device lacks', async () => {
    const video = exportRelease('Film');
    const platforms = {
      [psx]: [exportRelease('A', { files: [] })],
      'Sony - PlayStation Portable (UMD Video)': [video],
    };
    const files = await exported('es-de', platforms, { set: openedSet(platforms, { missing: 7 }) });
    expect([...files.keys()]).toEqual(['left_out.json']);
    expect(leftOutOf(files)).toEqual({
      set: 'My set',
      profile: 'es-de',
      not_in_library: 7,
      left_out: [
        {
          platform: 'Sony - PlayStation Portable (UMD Video)',
          release: 'Film',
          release_id: video.id,
          file: video.files[0]?.name,
          why: 'ES-DE has no folder for Sony - PlayStation Portable (UMD Video)',
        },
      ],
    });
  });

  test('is valid JSON for names with any characters', async () => {
    const releases = oddTexts.map((text) => exportRelease(text, { files: [] }));
    const files = await exported('es-de', { 'Odd - Platform': odd, [psx]: releases });
    expect(
      leftOutOf(files)
        .left_out.map(({ release }) => release)
        .sort(),
    ).toEqual(odd.map(({ name }) => name).sort());
  });
});
