import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  mergeGamelist,
  stripGamelist,
} from '../../src/core/builds/lists/gamelist/merge-gamelist.ts';
import { parseGamelist } from '../../src/core/builds/lists/gamelist/parse-gamelist.ts';
import type { ListedFiles } from '../../src/core/builds/lists/list-form.ts';
import { countsOf, filesIn, useBuildLibrary } from './build-library.ts';

const list = (...nodes: string[]) =>
  `<?xml version="1.0"?>\n<gameList>\n${nodes.map((node) => `\t${node}\n`).join('')}</gameList>\n`;
const game = (...elements: string[]) =>
  `<game>\n${elements.map((element) => `\t\t${element}\n`).join('')}\t</game>`;
const named = (name: string, ...more: string[]) =>
  game(`<path>./${name}.gb</path>`, `<name>${name}</name>`, ...more);
const key = (path: string) => path;
const files: ListedFiles = { isOwn: () => true, isForeign: () => false, renamed: key, key };
const merge = (present: string, next: string, more: Partial<ListedFiles> = {}) =>
  mergeGamelist(present, { text: next }, { ...files, ...more })?.text;

describe('a merged gamelist.xml', () => {
  test("keeps a player's fields for a path in other case if the file system ignores case", () => {
    const present = list(named('ANT', '<favorite>true</favorite>'));
    const text = merge(present, list(named('Ant')), { key: (path) => path.toLowerCase() });
    expect(text).toBe(list(named('Ant', '<favorite>true</favorite>')));
  });

  test("keeps a player's fields, and unknown elements and attributes", () => {
    const open = '<game id="7" source="a>b">';
    const played = named(
      'Ant',
      '<desc>old</desc>',
      '<favorite>true</favorite>',
      '<scrap name="x" />',
      '<mine><name>inner</name></mine>',
    ).replace('<game>', open);
    const merged = merge(list(played), list(named('Ant', '<genre>Ants</genre>')));
    const expected = named(
      'Ant',
      '<genre>Ants</genre>',
      '<favorite>true</favorite>',
      '<scrap name="x" />',
      '<mine><name>inner</name></mine>',
    ).replace('<game>', open);
    expect(merged).toBe(list(expected));
    expect(merge(merged ?? '', list(named('Ant', '<genre>Ants</genre>')))).toBe(merged);
  });

  test('adds new games, removes those that left the build, and keeps all other entries', () => {
    const present = list(named('Ant'), named('Mine', '<desc>x</desc>'), '<folder>f</folder>');
    const isOwn = (path: string) => path !== 'Mine.gb';
    const merged = merge(present, list(named('Bee')), { isOwn });
    expect(merged).toBe(list(named('Mine', '<desc>x</desc>'), '<folder>f</folder>', named('Bee')));
  });

  test("keeps a player's fields for a renamed game", () => {
    const present = list(named('Ant', '<playcount>3</playcount>'));
    const renamed = (path: string) => (path === 'Ant.gb' ? 'Ant II.gb' : path);
    expect(merge(present, list(named('Ant II')), { renamed })).toBe(
      list(named('Ant II', '<playcount>3</playcount>')),
    );
  });

  test('leaves the entry of a foreign file as it is', () => {
    const present = list(named('Ant', '<desc>mine</desc>'));
    const isForeign = (path: string) => path === 'Ant.gb';
    expect(merge(present, list(named('Ant'), named('Bee')), { isForeign })).toBe(
      list(named('Ant', '<desc>mine</desc>'), named('Bee')),
    );
  });

  test('keeps comments, and the elements that ES-DE writes outside of the list', () => {
    const head =
      '<?xml version="1.0"?>\n<alternativeEmulator>\n<label>x</label>\n</alternativeEmulator>\n';
    const present = `${head}<gameList>\n<!-- <game> -->\n<game><path>./A &amp; B.gb</path></game></gameList>\n`;
    const next = list(game('<path>./A &#38; B.gb</path>', '<name>A</name>'));
    const merged = merge(present, next) ?? '';
    expect(merged.startsWith(`${head}<gameList>\n\t<!-- <game> -->\n`)).toBe(true);
    expect(parseGamelist(merged)?.nodes.map(({ path }) => path)).toEqual([null, 'A & B.gb']);
    expect(merge('<gameList />', next)).toContain('<name>A</name>');
  });

  test('is not made if the present list is damaged', () => {
    for (const broken of [
      '',
      'x',
      '<gameList>',
      '<gameList><game></gameList>',
      '<gameList><game',
    ]) {
      expect(merge(broken, list(named('Ant')))).toBeUndefined();
    }
  });
});

describe('stripGamelist', () => {
  test("removes the fields that the build wrote, and keeps a player's fields and games", () => {
    const strip = (text: string) =>
      stripGamelist(text, ['path', 'name'], (path) => path !== 'M.gb');
    expect(strip(list(named('Ant'), named('Bee')))).toEqual({ text: list(), isEmpty: true });
    const favorite = '<favorite>true</favorite>';
    expect(strip(list(named('Ant', favorite), named('Bee'), named('M')))).toEqual({
      text: list(game('<path>./Ant.gb</path>', favorite), named('M')),
      isEmpty: false,
    });
  });
});

describe('a build with a gamelist.xml in the target', () => {
  const favorite = '<favorite>true</favorite>';
  const path = 'gb/gamelist.xml';

  test("keeps a player's changes in the list, and leaves only these on undo", async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
    const to = join(library.place, 'tree');
    const read = () => readFile(join(to, path), 'utf8');
    await library.build(to);
    const played = (await read())
      .replace('</game>', `${favorite}</game>`)
      .replace('</gameList>', `${named('Mine')}</gameList>`);
    await writeFile(join(to, path), played);
    expect(countsOf(await library.build(to))).toEqual({ keep: 2, replace: 1 });
    expect(countsOf(await library.build(to))).toEqual({ keep: 3 });
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    expect(countsOf(await library.build(to))).toEqual({ rename: 1, keep: 1, replace: 1 });
    const nodes = parseGamelist(await read())?.nodes ?? [];
    expect(nodes.map((node) => node.path)).toEqual(['Ant II (USA).gb', 'Bee (USA).gb', 'Mine.gb']);
    expect(nodes.map(({ raw }) => raw.includes(favorite))).toEqual([true, false, false]);
    const undone = await library.undo(to);
    expect(undone).toMatchObject({ stripped: [path], left: [] });
    expect(await filesIn(to)).toEqual({
      [path]: list(game('<path>./Ant II (USA).gb</path>', favorite), named('Mine')),
    });
  });

  test("removes the list on undo if the device rewrote it without a player's fields", async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await library.build(to);
    const text = await readFile(join(to, path), 'utf8');
    await writeFile(join(to, path), text.replaceAll('\t', '  '));
    expect((await library.undo(to)).removed).toContain(path);
    expect(await readdir(to)).toEqual(['.catalog-build.jsonl']);
  });

  test('adds its games to a foreign list, and removes them on undo', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await mkdir(join(to, 'gb'), { recursive: true });
    const foreign = list(named('Mine', favorite), '<folder>\n\t\t<path>./x</path>\n\t</folder>');
    await writeFile(join(to, path), foreign);
    await library.build(to, { isAdopted: true });
    expect(await readFile(join(to, path), 'utf8')).toContain('Ant (USA)');
    expect(countsOf(await library.build(to))).toEqual({ keep: 2 });
    await library.undo(to);
    expect(await filesIn(to)).toEqual({ [path]: foreign });
  });

  test('leaves a damaged list unchanged, also on undo', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
    const to = join(library.place, 'tree');
    await library.build(to);
    await writeFile(join(to, path), '<gameList><game>');
    expect(countsOf(await library.build(to))).toEqual({ keep: 1, conflict: 1 });
    await library.undo(to);
    expect(await filesIn(to)).toEqual({ [path]: '<gameList><game>' });
  });
});
