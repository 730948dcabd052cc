import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ListedFiles } from '../../src/core/builds/lists/list-form.ts';
import {
  mergePlaylist,
  stripPlaylist,
} from '../../src/core/builds/lists/playlist/merge-playlist.ts';
import { parsePlaylist } from '../../src/core/builds/lists/playlist/parse-playlist.ts';
import { countsOf, filesIn, platform, useBuildLibrary } from './build-library.ts';

type Json = Readonly<Record<string, unknown>>;
interface Item extends Json {
  readonly path: string;
}
interface List extends Json {
  readonly items: readonly Item[];
}

const folder = 'Game Boy';
const header = { version: '1.5', default_core_path: '', base_content_directory: '/roms' };
const textOf = (list: object) => `${JSON.stringify(list, null, 2)}\n`;
const list = (items: readonly object[], more: object = {}) =>
  textOf({ ...header, sort_mode: 0, ...more, items });
const item = (name: string, more: object = {}) => ({
  path: `/roms/${folder}/${name}.zip#${name}.gb`,
  label: name,
  core_path: 'DETECT',
  core_name: 'DETECT',
  crc32: 'DETECT',
  db_name: 'Game Boy.lpl',
  ...more,
});
const core = { core_path: '/cores/gambatte.so', core_name: 'Gambatte' };
const isOwn = (path: string) => path.endsWith('.zip');
const key = (path: string) => path;
const files: ListedFiles = { isOwn, isForeign: () => false, renamed: (path) => path, key };

function merge(
  present: string,
  text: string,
  { earlierNames = ['/roms', folder], ...more }: Partial<ListedFiles & { earlierNames: string[] }>,
) {
  const next = { text, names: ['/roms', folder], earlierNames };
  return mergePlaylist(present, next, { ...files, ...more });
}
const merged = (present: string, next: string, more: Partial<ListedFiles> = {}) =>
  merge(present, next, more)?.text;

describe('a merged playlist of RetroArch', () => {
  test('keeps the core that a player chose, unknown members and the settings of the list', () => {
    const more = { ...core, subsystem_ident: 'sgb', runtime: 1e2, '\u00e4': ['{', 0] };
    const settings = { thumbnail_mode: 2, default_core_path: '/cores/x.so', later: { a: [1] } };
    const present = list([item('Ant', { ...more, crc32: 'OLD|crc' })], settings);
    const next = list([item('Ant', { crc32: 'NEW|crc' })]);
    const text = merged(present, next) ?? '';
    const { core_path: _, core_name: __, ...others } = more;
    expect(JSON.parse(text)).toEqual({
      ...JSON.parse(present),
      items: [{ ...item('Ant', { ...core, crc32: 'NEW|crc' }), ...others }],
    });
    expect(merged(text, next)).toBe(text);
  });

  test('stays identical if the games are the same', () => {
    const present = list([item('Ant', { runtime: 7 }), item('Mine', core)])
      .replace('"runtime": 7', '"runtime": 1.50e+03')
      .replace('"sort_mode": 0', '"sort_mode": -0.0')
      .replace('"label": "Mine"', '"label": "\\u004dine"');
    const isAnt = (path: string) => path === 'Ant.zip';
    expect(merged(present, list([item('Ant')]), { isOwn: isAnt })).toBe(present);
  });

  test('adds new games, removes those that left the build, and keeps all other items', () => {
    const other = { path: `/roms/${folder}/sub/Ant.zip#Ant.gb`, entry_slot: 3 };
    const away = { path: `/sd/${folder}/Ant.zip` };
    const present = list([item('Ant'), other, item('Mine'), away]);
    const isBuilt = (path: string) => ['Ant.zip', 'Bee.zip'].includes(path);
    const text = merged(present, list([item('Bee')]), { isOwn: isBuilt }) ?? '';
    expect(JSON.parse(text).items).toEqual([other, item('Mine'), away, item('Bee')]);
  });

  test('keeps the core of a renamed game, and the item of a foreign file', () => {
    const present = list([item('Ant', core), item('Cat', core)]);
    const renamed = (path: string) => (path === 'Ant.zip' ? 'Ant II.zip' : path);
    const isForeign = (path: string) => path === 'Cat.zip';
    const next = list([item('Ant II'), item('Cat', { label: 'other' })]);
    const text = merged(present, next, { renamed, isForeign }) ?? '';
    expect(JSON.parse(text).items).toEqual([item('Ant II', core), item('Cat', core)]);
  });

  test.each([
    ['/storage/my roms', '/'],
    ['C:\\RetroArch\\roms', '\\'],
    ['/', '/'],
    ['/storage/sd/', '/'],
    ['sdmc:/', '/'],
    ['E:\\', '\\'],
  ])('uses the base folder %s that RetroArch wrote', (base, separator) => {
    const there = (name: string, more: object = {}) =>
      item(name, {
        path: [base, folder, `${name}.zip#${name}.gb`].join(separator),
        ...more,
      });
    const present = list([there('Ant', core), there('Old')], { base_content_directory: base });
    const next = list([item('Ant'), item('Bee')]);
    const { text = '', names } = merge(present, next, {}) ?? {};
    expect(JSON.parse(text)).toEqual({
      ...JSON.parse(present),
      items: [there('Ant', core), there('Bee')],
    });
    expect(names).toEqual([base, folder]);
    expect(merge(text, next, { earlierNames: [...(names ?? [])] })?.text).toBe(text);
    // RetroArch replaces the base folder at the start of each path with its own base folder.
    const { items }: List = JSON.parse(text);
    const moved = items.map(({ path }) => `/sd${path.slice(base.length)}`.replaceAll('\\', '/'));
    expect(moved).toEqual(['Ant', 'Bee'].map((name) => `/sd/${folder}/${name}.zip#${name}.gb`));
    expect(JSON.parse(stripPlaylist(text, names ?? [], files)?.text ?? '')).toEqual({
      ...JSON.parse(present),
      items: [],
    });
  });

  test('recognises its games by paths with doubled separators', () => {
    const doubled = item('Ant', { path: `/roms//${folder}//Ant.zip#Ant.gb`, ...core });
    const relative = { path: `${folder}/Ant.zip`, label: 'relative' };
    const present = list([doubled, relative]);
    const { text = '', names = [] } = merge(present, list([item('Ant')]), {}) ?? {};
    expect(JSON.parse(text).items).toEqual([item('Ant', core), relative]);
    expect(JSON.parse(stripPlaylist(present, names, files)?.text ?? '').items).toEqual([relative]);
  });

  test("keeps a player's further items for its games, and drops copies of its own items", () => {
    const hack = item('Ant', { core_path: '/cores/mgba.so', core_name: 'mGBA', label: 'Ant hack' });
    const inside = { path: `/roms/${folder}/Ant.zip#Bonus.gb`, label: 'Bonus', core_path: '' };
    const labelled = item('Ant', { label: 'My Ant' });
    const noted = item('Ant', { entry_slot: 3 });
    const others = [hack, inside, labelled, noted];
    const present = list([inside, item('Ant', core), ...others.slice(2), item('Ant'), hack]);
    const next = list([item('Ant', { crc32: 'NEW|crc' })]);
    const text = merged(present, next) ?? '';
    const own = item('Ant', { ...core, crc32: 'NEW|crc' });
    expect(JSON.parse(text).items).toEqual([inside, own, labelled, noted, hack]);
    expect(merged(text, next)).toBe(text);
    const away = list([inside]);
    expect(JSON.parse(merged(away, next) ?? '').items).toEqual([
      inside,
      item('Ant', { crc32: 'NEW|crc' }),
    ]);
    const renamed = (path: string) => (path === 'Ant.zip' ? 'Bee.zip' : path);
    const start = `/roms/${folder}/Bee.zip`;
    const bee = item('Bee', { path: `${start}#Ant.gb` });
    const before = list([inside, item('Ant'), hack, item('Bee')]);
    const after = merged(before, list([bee]), { renamed });
    expect(JSON.parse(after ?? '').items).toEqual([
      { ...inside, path: `${start}#Bonus.gb` },
      bee,
      { ...hack, path: `${start}#Ant.gb` },
    ]);
    expect(JSON.parse(stripPlaylist(text, ['/roms', folder], files)?.text ?? '').items).toEqual([]);
  });

  test('recognises a game by its label if the image in its archive has another name', () => {
    const former = { ...item('Ant', core), path: `/roms/${folder}/Ant.zip#Ant (Rev 0).gb` };
    const text = merged(list([former]), list([item('Ant')])) ?? '';
    expect(JSON.parse(text).items).toEqual([item('Ant', core)]);
  });

  test('recognises its games by paths in other case if the file system ignores case', () => {
    const ignoring = {
      key: (path: string) => path.toLowerCase(),
      isOwn: (path: string) => path.toLowerCase() === 'ant.zip',
    };
    const other = item('Ant', { ...core, path: `/Roms/${folder.toUpperCase()}/ANT.zip#Ant.gb` });
    const present = list([other, item('Ant')]);
    const next = list([item('Ant')]);
    const { text = '', names = [] } = merge(present, next, ignoring) ?? {};
    expect(JSON.parse(text).items).toEqual([item('Ant', core)]);
    expect(stripPlaylist(present, names, ignoring)?.isEmpty).toBe(true);
    expect(JSON.parse(merged(present, next) ?? '').items).toEqual([other, item('Ant')]);
    expect(JSON.parse(stripPlaylist(present, names, files)?.text ?? '').items).toEqual([other]);
    // The case of a drive letter never matters.
    const drive = item('Ant', { ...core, path: `c:\\${folder}\\Ant.zip#Ant.gb` });
    const onDrive = merged(list([drive], { base_content_directory: 'C:\\' }), next) ?? '';
    expect(JSON.parse(onDrive).items).toEqual([
      item('Ant', { ...core, path: `C:\\\\${folder}\\Ant.zip#Ant.gb` }),
    ]);
  });

  test('gets a base folder if it has none, and loses it when its games are removed', () => {
    const present = textOf({ version: '1.0', items: [{ path: '/sd/Mine.gb' }] });
    const { text = '', names = [] } = merge(present, list([item('Ant')]), {}) ?? {};
    expect(JSON.parse(text)).toMatchObject({ version: '1.0', base_content_directory: '/roms' });
    const again = merge(text, list([item('Ant')]), { earlierNames: [...names] });
    expect(again).toEqual({ text, names });
    const stripped = stripPlaylist(text, names, files)?.text ?? '';
    expect(JSON.parse(stripped)).toEqual(JSON.parse(present));
    expect(stripPlaylist(stripped, names, files)?.text).toBe(stripped);
  });

  test('is not made if the present list is damaged or has another form', () => {
    const whole = list([item('Ant')]);
    for (const broken of [
      '',
      '[]',
      'null',
      '{}',
      '{"version": "1.5"}',
      '{"version": "1.5", "items": {}}',
      '{"version": "1.5", "items": [], "items": []}',
      '{"version": "1.5", "items": [{"path": "a",}]}',
      '{"version": "1.5", "items": [,]}',
      '{"version": "1.5", "items": [nul]}',
      '{"version": "1.5", "items": [{"a": [}]}]}',
      `${whole}x`,
      whole.slice(0, -4),
      whole.replace('"items": [', '"items": [,'),
      whole.replace('"sort_mode": 0', '"sort_mode": 0x'),
      '/roms/Ant.gb\nAnt\nDETECT\nDETECT\nDETECT\nGame Boy.lpl\n',
    ]) {
      expect(merged(broken, whole), broken).toBeUndefined();
      expect(stripPlaylist(broken, ['/roms', folder], files)).toBeNull();
    }
    for (const odd of [
      '{"version":"1.5","items":[]}',
      '{ "items" :\n[ 1 , "]" ] , "version":"1"}',
    ]) {
      expect(merged(odd, whole), odd).toContain('Ant.gb');
    }
  });

  test('is read or refused, however deeply it is nested', () => {
    for (const deep of ['['.repeat(1_000_000), '{"a":'.repeat(300_000), '"\\'.repeat(500_000)]) {
      expect(parsePlaylist(`{"version": "1.5", "items": [${deep}`)).toBeNull();
    }
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(parsePlaylist(`{"version": "1.5", "items": [${nested}]}`)?.items).toHaveLength(1);
  });

  test('has each game of the build once and all changes of a player, from any state', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const some = (names: readonly string[]) => names.filter(() => random(2) > 0);
    const bases = ['/roms', '/sd', 'D:\\games'];
    let [present, names]: [string, readonly string[]] = ['', []];
    let foreignItems: Item[] = [];
    let cores = new Map<string, unknown>();
    let before: string[] = [];
    for (let round = 0; round < 2_000; round += 1) {
      const tree = some(['A', 'B', 'C [1]', 'D #2', 'É']);
      const next = list(tree.map((name) => item(name)));
      if (present === '' || random(20) === 0) [present, names] = [next, ['/roms', folder]];
      else {
        const gone = before.filter((name) => !tree.includes(name));
        const moved = random(2) === 0 ? gone[0] : undefined;
        const target = tree.find((name) => !before.includes(name));
        const result = mergePlaylist(
          present,
          { text: next, names: ['/roms', folder], earlierNames: names },
          {
            isOwn: (path) => before.includes(path.slice(0, -4)),
            isForeign: () => false,
            key,
            renamed: (path) =>
              moved !== undefined && target !== undefined && path === `${moved}.zip`
                ? `${target}.zip`
                : path,
          },
        );
        if (result === null) throw new Error(`round ${round}`);
        if (moved !== undefined && target !== undefined && cores.has(moved)) {
          cores.set(target, cores.get(moved));
        }
        ({ text: present, names } = result);
        const same = { text: next, names: ['/roms', folder], earlierNames: names };
        const isInTree = (path: string) => tree.includes(path.slice(0, -4));
        const again = mergePlaylist(present, same, { ...files, isOwn: isInTree });
        expect(again?.text).toBe(present);
      }
      if (present === next) [foreignItems, cores] = [[], new Map()];
      const read: List = JSON.parse(present);
      const own = read.items.filter(({ label }) => label !== 'mine');
      expect(own.map(({ label }) => label).sort()).toEqual(tree.toSorted());
      for (const { label, core_path } of own) {
        expect(core_path, `${round} ${label}`).toBe(cores.get(`${label}`) ?? 'DETECT');
      }
      expect(read.items.filter(({ label }) => label === 'mine')).toEqual(foreignItems);
      const base = `${read.base_content_directory}`;
      const inBase = (path: string) =>
        path.replaceAll('\\', '/').startsWith(`${base.replaceAll('\\', '/')}/${folder}/`);
      expect(own.every(({ path }) => inBase(path))).toBe(true);
      const stripped = stripPlaylist(present, names, {
        isOwn: (path) => tree.includes(path.slice(0, -4)),
        key,
      });
      expect(JSON.parse(stripped?.text ?? '').items).toEqual(foreignItems);
      expect(stripped?.isEmpty).toBe(foreignItems.length === 0);
      // A player changes the list, and RetroArch may move its games to another base folder.
      const to = bases[random(bases.length)] ?? '';
      cores = new Map(tree.map((name) => [name, cores.get(name) ?? 'DETECT']));
      const played = read.items.map((one): Item => {
        const rest = one.path.slice(base.length);
        const slashed = to.startsWith('D')
          ? rest.replaceAll('/', '\\')
          : rest.replaceAll('\\', '/');
        const isMoved = one.path.startsWith(base);
        const path = isMoved ? to + slashed : one.path;
        const isPlayed = one.label !== 'mine' && random(4) === 0;
        if (isPlayed) cores.set(`${one.label}`, `/cores/${round}.so`);
        return { ...one, path, ...(isPlayed && { core_path: `/cores/${round}.so` }) };
      });
      if (random(3) === 0) {
        const foreign = { path: `/x/${round}.gb`, label: 'mine', size: round };
        played.splice(random(played.length + 1), 0, foreign);
      }
      foreignItems = played.filter(({ label }) => label === 'mine');
      const remaining =
        foreignItems.length > 4 ? played.filter(({ label }) => label !== 'mine') : played;
      if (remaining !== played) foreignItems = [];
      present = JSON.stringify(
        { ...read, base_content_directory: to, items: remaining },
        null,
        random(3),
      );
      before = tree;
    }
  });
});

describe('a build with a playlist of RetroArch in the target', () => {
  const profile = 'retroarch';
  const path = `playlists/${platform}.lpl`;
  const romPath = (name: string) => `/roms/${platform}/${name}.gb`;

  test("keeps a player's changes in the playlist, and leaves only these on undo", async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
    const to = join(library.place, 'tree');
    const read = async (): Promise<List> => JSON.parse(await readFile(join(to, path), 'utf8'));
    await library.build(to, { profile });
    const built = await read();
    const items = built.items.map((one, i) => (i === 0 ? { ...one, ...core } : one));
    const mine = { path: '/sd/Mine.gb', label: 'Mine' };
    const played = { ...built, right_thumbnail_mode: 3, items: [...items, mine] };
    await writeFile(join(to, path), textOf(played));
    expect(countsOf(await library.build(to, { profile }))).toEqual({ keep: 2, replace: 1 });
    expect(await readFile(join(to, path), 'utf8')).toBe(textOf(played));
    expect(countsOf(await library.build(to, { profile }))).toEqual({ keep: 3 });
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    expect(countsOf(await library.build(to, { profile }))).toMatchObject({ rename: 1, replace: 1 });
    const { items: found, ...settings } = await read();
    expect(settings).toMatchObject({ right_thumbnail_mode: 3, base_content_directory: '/roms' });
    expect(found.map((one) => [one.path, one.core_path])).toEqual([
      [romPath('Ant II (USA)'), core.core_path],
      [romPath('Bee (USA)'), 'DETECT'],
      ['/sd/Mine.gb', undefined],
    ]);
    expect(await library.undo(to)).toMatchObject({ stripped: [path], left: [] });
    expect(await filesIn(to)).toEqual({
      [path]: textOf({ ...built, right_thumbnail_mode: 3, items: [mine] }),
    });
  });

  test('removes a playlist on undo that RetroArch rewrote but no player changed', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await library.build(to, { profile });
    const { items, ...settings } = JSON.parse(await readFile(join(to, path), 'utf8'));
    const moved = items.map((one: Item) => ({ ...one, path: one.path.replace('/roms', '/sd') }));
    const rewritten = { ...settings, thumbnail_match_mode: 0, base_content_directory: '/sd' };
    await writeFile(join(to, path), JSON.stringify({ ...rewritten, items: moved }));
    expect((await library.undo(to)).removed).toContain(path);
    expect(await readdir(to)).toEqual(['.catalog-build.jsonl']);
  });

  test('adds its games to a foreign playlist, and removes them on undo', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    const foreign = textOf({ version: '1.5', items: [{ path: '/sd/Mine.gb', ...core }] });
    await mkdir(dirname(join(to, path)), { recursive: true });
    await writeFile(join(to, path), foreign);
    await library.build(to, { profile, isAdopted: true });
    expect(await readFile(join(to, path), 'utf8')).toContain('Ant (USA)');
    expect(countsOf(await library.build(to, { profile }))).toEqual({ keep: 2 });
    await library.undo(to);
    expect(await filesIn(to)).toEqual({ [path]: foreign });
  });

  const oldItem = '/x/x.gb\nx\nDETECT\nDETECT\nDETECT\nx.lpl\n';
  test.each([
    ['damaged', '{"version": "1.5", "items": [', /^It cannot be read as a list, so/],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x7b]), /^It cannot be read as a list, so/],
    ['compressed', Buffer.from('#RZIPv\x01#\xff', 'latin1'), /turn off "Compress Playlists"/],
    ['too large', ' '.repeat(2 ** 24 + 1), /^It is too large for a list, so/],
    ['too many items', `{"version":"1","items":[${'1,'.repeat(1e5)}1]}`, /^It cannot be read/],
  ])('leaves a playlist that it cannot merge (reason: %s)', async (_, content, why) => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await library.build(to, { profile });
    await writeFile(join(to, path), content);
    const built = await library.build(to, { profile });
    expect(countsOf(built)).toEqual({ keep: 1, conflict: 1 });
    expect(built.problems).toEqual([{ path, kind: 'conflict', why: expect.stringMatching(why) }]);
    const { left } = await library.undo(to);
    expect(left).toEqual([{ path, kind: 'conflict', why: expect.stringMatching(why) }]);
    expect(Buffer.from(content).equals(await readFile(join(to, path)))).toBe(true);
  });

  test.each([
    ['no other games', '', null],
    ['another game', oldItem, 'keeps'],
    ['a default core', 'default_core_path = "/cores/x.so"\n', 'keeps'],
  ])('removes its games on undo from an old-format playlist with %s', async (_, rest, left) => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await library.build(to, { profile });
    const name = `${romPath('Ant (USA)')}\nAnt (USA)\nDETECT\nDETECT\nDETECT\n${platform}.lpl\n`;
    const settings = 'default_core_name = "DETECT"\nthumbnail_mode = "0|0"\n';
    await writeFile(join(to, path), `${name}${rest}${settings}`);
    const { problems } = await library.build(to, { profile });
    expect(problems).toMatchObject([{ path, why: expect.stringContaining('old format') }]);
    expect((await library.undo(to)).left).toEqual([]);
    expect(await filesIn(to)).toEqual(left === null ? {} : { [path]: `${rest}${settings}` });
  });
});
