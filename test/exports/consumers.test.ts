/** @module-tag full */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergePlaylist } from '../../src/core/builds/lists/playlist/merge-playlist.ts';
import { readGamelist } from '../support/exports/gamelist.ts';
import { readPegasus } from '../support/exports/pegasus.ts';
import { exportRelease, shippedProfiles } from '../support/exports/releases.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';
import { exported } from './exported.ts';

const psx = 'Sony - PlayStation';
const noRetroarch = toolsSkipReason('retroarch');
const noXmllint = toolsSkipReason('xmllint');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-consumers-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Settings with which RetroArch needs no display, and writes what it read as lines. */
const settings = `menu_driver = "rgui"
video_driver = "null"
audio_driver = "null"
input_driver = "null"
config_save_on_exit = "false"
playlist_use_old_format = "true"
content_favorites_size = "-1"
`;

interface Item {
  readonly path: string;
  readonly label: string;
  readonly core_path: string;
  readonly core_name: string;
  readonly crc32: string;
  readonly db_name: string;
}

/** Lets RetroArch read a playlist as its list of favourites. Returns the items that it read. */
async function readByRetroarch(playlist: string): Promise<Item[]> {
  const [written = ''] = (await rewritten(playlist, settings)).split('default_core_path = ', 1);
  const lines = written.split('\n');
  const items: Item[] = [];
  for (let at = 0; at + 5 < lines.length; at += 6) {
    const [path = '', label = '', core_path = '', core_name = '', crc32 = '', db_name = ''] =
      lines.slice(at, at + 6);
    items.push({ path, label, core_path, core_name, crc32, db_name });
  }
  return items;
}

/** Returns a playlist as RetroArch writes it with some settings. */
async function rewritten(playlist: string, config: string): Promise<string> {
  const list = join(folder, 'content_favorites.lpl');
  await writeFile(join(folder, 'retroarch.cfg'), config);
  await writeFile(list, playlist);
  const args = ['--menu', '-c', join(folder, 'retroarch.cfg'), '--max-frames=5'];
  runTool('retroarch', args, folder);
  return readFile(list, 'utf8');
}

describe('an export', () => {
  const whole = 'is read completely by RetroArch: path, label and checksum of 25,000 games';
  test.skipIf(noRetroarch !== null)(
    `${whole} ${noRetroarch ?? ''}`,
    {
      timeout: 120_000,
    },
    async () => {
      const odd = [
        'Tom & Jerry',
        'a "quoted" name',
        'Pokémon 牧場',
        "it's",
        'a/b: c? <d>',
        '100%',
        '#1',
      ];
      const games = Array.from({ length: 25_000 }, (_, i) => {
        const crc32 = (i * 7_919).toString(16).padStart(8, '0');
        const roms = i % 3 === 0 ? [] : [{ name: 'x.bin', size: 1, crc32 }];
        const serial = i % 6 === 0 ? `ULES-${String(i).padStart(5, '0')}` : '';
        return exportRelease(`Game ${i} ${odd[i % odd.length]}`, { roms, serial });
      });
      const files = await exported('retroarch', { [psx]: games }, { romsPath: '/sd card/Röms' });
      const text = files.get(`playlists/${psx}.lpl`) ?? '';
      const { items }: { items: Item[] } = JSON.parse(text);
      expect(items).toHaveLength(25_000);
      const read = await readByRetroarch(text);
      expect(read).toHaveLength(25_000);
      const differing = items.filter((item, i) => JSON.stringify(item) !== JSON.stringify(read[i]));
      expect(differing.slice(0, 3)).toEqual([]);
    },
  );

  test.skipIf(noRetroarch !== null)(
    `is not read by RetroArch if its playlist is damaged ${noRetroarch ?? ''}`,
    async () => {
      const files = await exported('retroarch', { [psx]: [exportRelease('A')] });
      const text = files.get(`playlists/${psx}.lpl`) ?? '';
      expect(await readByRetroarch(text)).toHaveLength(1);
      const read = await readByRetroarch(text.replace('"items": [', '"items": [,'));
      expect(read.map(({ label }) => label)).not.toEqual(['A']);
    },
  );

  test.skipIf(noRetroarch !== null)(
    `is read by RetroArch after it was merged with a playlist of RetroArch ${noRetroarch ?? ''}`,
    async () => {
      const names = ['A "quoted"', 'Pokémon 牧場', 'a\\b #1'];
      const textOf = async (...games: string[]) => {
        const releases = games.map((name) => exportRelease(name));
        return (await exported('retroarch', { [psx]: releases })).get(`playlists/${psx}.lpl`) ?? '';
      };
      const built: { items: Item[] } = JSON.parse(await textOf(...names));
      const core = { core_path: '/cores/pcsx.so', core_name: 'PCSX' };
      const mine = { ...core, path: '/sd/Mine.chd', label: 'Mine', crc32: 'DETECT', db_name: '' };
      const played = {
        ...built,
        items: [...built.items.map((one) => ({ ...one, ...core })), mine],
      };
      const lines = await rewritten(JSON.stringify(played), settings);
      const present = await rewritten(
        lines,
        settings.replace('old_format = "true"', 'old_format = "false"'),
      );
      expect(JSON.parse(present).items).toHaveLength(4);
      const text = await textOf(...names.slice(1), 'New');
      const listNames = ['/roms', psx];
      const merged = mergePlaylist(
        present,
        { text, names: listNames, earlierNames: listNames },
        {
          isOwn: (path) => path.endsWith('.chd'),
          isForeign: () => false,
          renamed: (path) => path,
          key: (path) => path,
        },
      );
      const next: { items: Item[] } = JSON.parse(text);
      // RetroArch orders the items by their labels.
      const read = new Map(
        (await readByRetroarch(merged?.text ?? '')).map((one) => [one.label, one]),
      );
      const expected = next.items.map((one) => (one.label === 'New' ? one : { ...one, ...core }));
      expect(read).toEqual(new Map([...expected, mine].map((one) => [one.label, one])));
    },
  );

  const oddNames = [
    'a & b <c> "d" ]]>',
    '\u0001\ud800 lone',
    'Pokémon 牧場\u{1F600}',
    '.hidden',
    'a/b',
  ];
  /** Games of one disc and of two, with odd names, also names that are alike but for their case. */
  const oddGames = Array.from({ length: 2_000 }, (_, at) => {
    const name = `${oddNames[at % oddNames.length]} ${at >> 1}`;
    const discs = at % 7 === 0 ? [' (Disc 1)', ' (Disc 2)'] : [''];
    return discs.map((disc) => exportRelease(`${at % 2 === 0 ? name : name.toUpperCase()}${disc}`));
  }).flat();
  const byName = [...oddGames].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

  test.each(['es-de', 'batocera', 'knulli', 'rocknix', 'arkos'])(
    'follows the rules of EmulationStation for each of 2,000 games with odd names for %s',
    async (profile) => {
      const files = await exported(profile, { [psx]: byName });
      const [, text = ''] = [...files].find(([path]) => path.endsWith('gamelist.xml')) ?? [];
      const program = profile === 'es-de' ? 'es-de' : 'batocera';
      const extensions =
        (await shippedProfiles()).get(profile).platforms.get(psx)?.extensions ?? [];
      const games = readGamelist(text, program, [...extensions, 'm3u']);
      expect(games).toHaveLength(2_000);
      const lists = [...files.keys()].filter((path) => path.endsWith('.m3u'));
      expect(games.filter(({ path = '' }) => path.endsWith('.m3u'))).toHaveLength(lists.length);
    },
  );

  test('follows the grammar of Pegasus for each of 2,000 games with odd names', async () => {
    const files = await exported('pegasus', { [psx]: byName });
    const { games } = readPegasus(files.get('psx/metadata.pegasus.txt') ?? '');
    expect(games).toHaveLength(2_000);
    expect(new Set(games.map((game) => game.get('file'))).size).toBe(2_000);
  });

  test.skipIf(noXmllint !== null).each(['es-de', 'batocera'])(
    `has a gamelist.xml that libxml2 can read for %s ${noXmllint ?? ''}`,
    async (profile) => {
      const games = ['a & b <c> "d" ]]>', '\u0001\ud800 lone', 'Pokémon 牧場\u{1F600}'].map(
        (text) => exportRelease(text, { synopsis: text, developer: text, franchise: text }),
      );
      const files = await exported(profile, { [psx]: games });
      const lists = [...files].filter(([path]) => path.endsWith('.xml'));
      expect(lists).toHaveLength(1);
      for (const [, text] of lists) {
        const path = join(folder, `${profile}.xml`);
        await writeFile(path, text);
        runTool('xmllint', ['--noout', '--nonet', path]);
        expect(runTool('xmllint', ['--xpath', 'count(/gameList/game/path)', path]).trim()).toBe(
          '3',
        );
      }
    },
  );
});
