import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renameInSheet, rewriteSheet } from '../../src/core/builds/rewrite-sheet.ts';
import { romOf } from '../library/library-fixture.ts';
import { countsOf, filesIn, useBuildLibrary } from './build-library.ts';

const psx = 'Sony - PlayStation';

describe('a sheet', () => {
  const rewritten = (sheet: string, ...names: string[]) => {
    const bytes = rewriteSheet(Buffer.from(sheet, 'latin1'), names);
    return bytes && Buffer.from(bytes).toString('latin1');
  };

  test('gets other names, and keeps everything else byte by byte', () => {
    const cue =
      'REM \xe9\r\nFILE "a.bin" BINARY\r\n  TRACK 01 AUDIO\r\n file b.bin WAVE \nREM "FILE"';
    expect(rewritten(cue, 'A 1.bin', 'b-2.bin')).toBe(
      'REM \xe9\r\nFILE "A 1.bin" BINARY\r\n  TRACK 01 AUDIO\r\n file b-2.bin WAVE \nREM "FILE"',
    );
    const gdi = '2\n1 0 4 2352 track01.bin 0\n2 45000 0 2352 "track 2.raw" 0\n';
    expect(rewritten(gdi, 'A (Track 1).bin', 'A.raw')).toBe(
      '2\n1 0 4 2352 "A (Track 1).bin" 0\n2 45000 0 2352 "A.raw" 0\n',
    );
    // A mark of UTF-8 comes first, and a letter has the byte of a no-break space.
    expect(rewritten('\xef\xbb\xbfFILE "a" BINARY', 'b')).toBe('\xef\xbb\xbfFILE "b" BINARY');
    expect(rewritten('FILE \xc3\xa0.bin BINARY', 'b.bin')).toBe('FILE b.bin BINARY');
    expect(rewritten('FILE a.bin BINARY', 'é.bin')).toBe('FILE \xc3\xa9.bin BINARY');
  });

  test('is refused if it names another number of files', () => {
    expect(rewritten('FILE "a.bin" BINARY', 'a', 'b')).toBeNull();
    expect(rewritten('FILE a BINARY\nFILE b BINARY', 'a')).toBeNull();
    expect(rewritten('nothing', 'a')).toBeNull();
  });

  test('of an archive gets the names of the tree by those of the archive', () => {
    const renamed = (sheet: string, names: Readonly<Record<string, string>>) => {
      const pairs = Object.entries(names).map(([from, to]) => ({ from, to }));
      const result = renameInSheet(Buffer.from(sheet), pairs);
      return result && 'bytes' in result ? Buffer.from(result.bytes).toString() : result;
    };
    const two = { 'é 1.bin': 'A.bin', 'B.BIN': 'B b.bin' };
    expect(
      renamed('FILE "CD\\E\u0301 1.bin" BINARY\nFILE ./b.bin BINARY\nFILE ./b.bin BINARY', two),
    ).toBe('FILE "A.bin" BINARY\nFILE "B b.bin" BINARY\nFILE "B b.bin" BINARY');
    expect(renamed('FILE "c.bin" BINARY\nFILE "b.bin" BINARY', two)).toEqual({ unknown: 'c.bin' });
    // One name means the only file, in whichever encoding it is.
    expect(renamed('FILE "old.bin" BINARY', { 'new.bin': 'A.bin' })).toBe('FILE "A.bin" BINARY');
    expect(
      renamed('2\n1 0 4 2352 T1.BIN 0\n2 9 0 2352 t2.raw 0', {
        't1.bin': 'a.bin',
        't2.raw': 'b.raw',
      }),
    ).toBe('2\n1 0 4 2352 a.bin 0\n2 9 0 2352 b.raw 0');
    expect(renamed('nothing', two)).toBeNull();
  });
});

test('names the tracks of a disc as the DAT does, and rewrites its sheet', async () => {
  const library = await useBuildLibrary({});
  const to = join(library.place, 'tree');
  const cue = (one: string, two: string) =>
    `FILE "${one}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n` +
    `FILE "${two}" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n`;
  const tracks = ['1', '2'].map((track) => track.repeat(2352 * 4));
  const [one = '', two = ''] = tracks;
  await library.write('x/disc.cue', cue('data.bin', 'audio.bin'));
  await library.write('x/data.bin', one);
  await library.write('x/audio.bin', two);
  const dat = (name: string) => ({
    name,
    roms: [
      romOf(cue(`${name} (Track 1).bin`, `${name} (Track 2).bin`), `${name}.cue`),
      romOf(one, `${name} (Track 1).bin`),
      romOf(two, `${name} (Track 2).bin`),
    ],
  });
  await library.take([dat('Game (USA)')], psx, 'discs');
  await library.scan({ hash: true });
  expect(countsOf(await library.build(to))).toEqual({ add: 4 });
  const files = (name: string) => ({
    [`psx/${name}.cue`]: cue(`${name} (Track 1).bin`, `${name} (Track 2).bin`),
    [`psx/${name} (Track 1).bin`]: one,
    [`psx/${name} (Track 2).bin`]: two,
    'psx/gamelist.xml': expect.any(String),
  });
  expect(await filesIn(to)).toEqual(files('Game (USA)'));
  expect(countsOf(await library.build(to))).toEqual({ keep: 4 });
  // A sheet with the same size and time is compared if asked.
  const sheet = join(to, 'psx/Game (USA).cue');
  execFileSync('cp', ['--preserve=timestamps', sheet, join(library.place, 'times')]);
  expect((await library.build(to, { isVerified: true })).problems).toEqual([]);
  await writeFile(sheet, (await readFile(sheet, 'utf8')).replace('INDEX', 'index'));
  execFileSync('touch', ['-r', join(library.place, 'times'), sheet]);
  expect(countsOf(await library.build(to))).toEqual({ keep: 4 });
  expect((await library.build(to, { isVerified: true })).problems).toMatchObject([
    { kind: 'failed', path: 'psx/Game (USA).cue' },
  ]);
  // A sheet that was changed since the scan is not written.
  await library.undo(to);
  await writeFile(join(library.games.path, 'x/disc.cue'), 'other');
  const { problems } = await library.build(to);
  expect(problems).toMatchObject([{ kind: 'failed', path: 'psx/Game (USA).cue' }]);
});

test('writes the playlist of discs anew, but not one that a player has changed', async () => {
  const library = await useBuildLibrary({});
  const to = join(library.place, 'tree');
  const profile = 'retroarch';
  const cue = (name: string) => `FILE "${name}.bin" BINARY\n  TRACK 01 MODE2/2352\n`;
  const disc = async (name: string) => {
    const content = name.repeat(2352);
    await library.write(`${name}/${name}.cue`, cue(name));
    await library.write(`${name}/${name}.bin`, content);
    return { name, roms: [romOf(cue(name), `${name}.cue`), romOf(content, `${name}.bin`)] };
  };
  const discs = [await disc('Game (Disc 1)'), await disc('Game (Disc 2)')];
  await library.take(discs, psx, 'discs');
  await library.scan({ hash: true });
  await library.build(to, { profile });
  const path = `roms/${psx}/Game.m3u`;
  const list = 'Game (Disc 1).cue\nGame (Disc 2).cue\n';
  expect((await filesIn(to))[path]).toBe(list);
  await library.take([...discs, await disc('Game (Disc 3)')], psx, 'discs');
  await library.scan({ hash: true });
  await library.build(to, { profile });
  expect((await filesIn(to))[path]).toBe(`${list}Game (Disc 3).cue\n`);
  const changed = `#LABEL: mine\n${list}`;
  await writeFile(join(to, path), changed);
  expect((await library.build(to, { profile })).problems).toMatchObject([
    { kind: 'conflict', path },
  ]);
  expect((await library.undo(to)).left).toMatchObject([{ kind: 'conflict', path }]);
  expect(await filesIn(to)).toEqual({ [path]: changed });
});
