import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renameInSheet, rewriteSheet } from '../../src/core/builds/rewrite-sheet.ts';
import { romOf } from '../library/library-fixture.ts';
import { countsOf, filesIn, useBuildLibrary } from './build-library.ts';

const psx = 'Sony - PlayStation';

describe('the rewritten sheet of a disc', () => {
  const rewritten = (sheet: string, ...names: string[]) => {
    const bytes = rewriteSheet(Buffer.from(sheet, 'latin1'), names);
    return bytes && Buffer.from(bytes).toString('latin1');
  };

  test('gets the new names, and keeps all other bytes', () => {
    const cue =
      'REM \xe9\r\nFILE "a.bin" BINARY\r\n  TRACK 01 AUDIO\r\n file b.bin WAVE \nREM "FILE"';
    expect(rewritten(cue, 'A 1.bin', 'b-2.bin')).toBe(
      'REM \xe9\r\nFILE "A 1.bin" BINARY\r\n  TRACK 01 AUDIO\r\n file b-2.bin WAVE \nREM "FILE"',
    );
    const gdi = '2\n1 0 4 2352 track01.bin 0\n2 45000 0 2352 "track 2.raw" 0\n';
    expect(rewritten(gdi, 'A (Track 1).bin', 'A.raw')).toBe(
      '2\n1 0 4 2352 "A (Track 1).bin" 0\n2 45000 0 2352 "A.raw" 0\n',
    );
    // The first sheet begins with a UTF-8 byte order mark. The name in the second one contains the
    // byte a0, which is a no-break space in Latin-1.
    expect(rewritten('\xef\xbb\xbfFILE "a" BINARY', 'b')).toBe('\xef\xbb\xbfFILE "b" BINARY');
    expect(rewritten('FILE \xc3\xa0.bin BINARY', 'b.bin')).toBe('FILE b.bin BINARY');
    expect(rewritten('FILE a.bin BINARY', 'é.bin')).toBe('FILE \xc3\xa9.bin BINARY');
  });

  test('is not made if the sheet names another number of files', () => {
    expect(rewritten('FILE "a.bin" BINARY', 'a', 'b')).toBeNull();
    expect(rewritten('FILE a BINARY\nFILE b BINARY', 'a')).toBeNull();
    expect(rewritten('nothing', 'a')).toBeNull();
  });

  test('gets the names of the tree for the matching names in its archive', () => {
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
    // If there is only one file, it matches under any name.
    expect(renamed('FILE "old.bin" BINARY', { 'new.bin': 'A.bin' })).toBe('FILE "A.bin" BINARY');
    expect(
      renamed('2\n1 0 4 2352 T1.BIN 0\n2 9 0 2352 t2.raw 0', {
        't1.bin': 'a.bin',
        't2.raw': 'b.raw',
      }),
    ).toBe('2\n1 0 4 2352 a.bin 0\n2 9 0 2352 b.raw 0');
    expect(renamed('nothing', two)).toBeNull();
  });

  const tracks = (name: string, ending = '.bin') =>
    [1, 2].map((track) => ({ from: `${name} (Track ${track})${ending}`, to: `T ${track}.bin` }));
  const sheetOf = (...names: readonly string[]) =>
    names.map((name) => `FILE "${name}" BINARY\n`).join('');
  const matched = (sheet: Buffer, names: Parameters<typeof renameInSheet>[1]) => {
    const result = renameInSheet(sheet, names);
    return result && 'bytes' in result ? Buffer.from(result.bytes).toString() : result;
  };
  const ordered = sheetOf('T 1.bin', 'T 2.bin');

  test.for(['月下', 'Rock ’n’ Roll', '★', 'а', 'Łódź', 'Pokémon'])(
    'matches the files of its archive by names in Unicode: %s',
    (name) => {
      const sheet = sheetOf(`${name} (Track 2).bin`, `${name} (Track 1).bin`);
      const result = matched(Buffer.from(sheet), tracks(name));
      expect(result).toBe(sheetOf('T 2.bin', 'T 1.bin'));
      // macOS decomposes letters (NFD).
      expect(matched(Buffer.from(sheet.normalize('NFD')), tracks(name))).toBe(result);
    },
  );

  test.for([
    ['cp932', '\x8c\x8e\x89\xba\x95\x5c', '月下表'],
    ['EUC-KR', '\xb0\xd4\xc0\xd3', '게임'],
    ['GBK', '\xb2\x9f\xd3\xce', '矡游'],
    ['code page 437', 'Pok\x82mon', 'Pokémon'],
    ['Windows-1252', 'Pok\xe9mon \x92n\x92', 'Pokémon ’n’'],
    ['the same bytes as a zip without UTF-8', '\x8c\x8e', 'îÄ'],
  ] as const)('matches the files of its archive by names in the encoding %s', ([, bytes, name]) => {
    // The sheet lists the tracks in reverse, so matching them by order would give other files.
    const sheet = sheetOf(`${bytes} (Track 2).bin`, `${bytes} (Track 1).bin`);
    const result = matched(Buffer.from(sheet, 'latin1'), tracks(name));
    expect(result).toBe(sheetOf('T 2.bin', 'T 1.bin'));
  });

  test('matches the files of its archive by track order if its names do not match', () => {
    const odd = Buffer.from(sheetOf('\xff 1.bin', '\xff 2.bin'), 'latin1');
    expect(matched(odd, tracks('é').reverse())).toBe(ordered);
    const many = Array.from({ length: 11 }, (_, index) => ({
      from: `é ${index + 1}.bin`,
      to: `G 2 (Track ${index + 1}) (v1).bin`,
    }));
    const sheet = Buffer.from(sheetOf(...many.map((_, index) => `\xff ${index}.bin`)), 'latin1');
    expect(matched(sheet, many.toReversed())).toBe(sheetOf(...many.map(({ to }) => to)));
    // The known name is not at the position of its track.
    const mixed = Buffer.from(sheetOf('b (Track 2).bin', '\xff.bin'), 'latin1');
    expect(matched(mixed, tracks('b'))).toEqual({ unknown: '\\xff.bin' });
    // Matching by order also fails if there are more names than tracks, or if the tracks have no
    // numbers.
    const three = Buffer.from(sheetOf('\xff1', '\xff2', '\xff3'), 'latin1');
    expect(matched(three, tracks('é'))).toEqual({ unknown: '\\xff1' });
    const plain = ['a', 'b'].map((name) => ({ from: `é${name}`, to: name }));
    expect(matched(odd, plain)).toEqual({ unknown: '\\xff 1.bin' });
  });

  test('matches no file if two files of its archive have the same name', () => {
    const names = ['\u00e9', 'e\u0301'].map((from, index) => ({ from, to: `${index}` }));
    expect(matched(Buffer.from(sheetOf('\u00e9')), names)).toEqual({ unknown: '\u00e9' });
  });
});

describe('a build of discs', () => {
  test("names the tracks of a disc as the DAT does, and rewrites the disc's sheet", async () => {
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
    // If a changed sheet has the same size and time, only a build that verifies files finds the
    // change.
    const sheet = join(to, 'psx/Game (USA).cue');
    execFileSync('cp', ['--preserve=timestamps', sheet, join(library.place, 'times')]);
    expect((await library.build(to, { isVerified: true })).problems).toEqual([]);
    await writeFile(sheet, (await readFile(sheet, 'utf8')).replace('INDEX', 'index'));
    execFileSync('touch', ['-r', join(library.place, 'times'), sheet]);
    expect(countsOf(await library.build(to))).toEqual({ keep: 4 });
    expect((await library.build(to, { isVerified: true })).problems).toMatchObject([
      { kind: 'failed', path: 'psx/Game (USA).cue' },
    ]);
    // A build does not write a sheet that has changed since the scan.
    await library.undo(to);
    await writeFile(join(library.games.path, 'x/disc.cue'), 'other');
    const { problems } = await library.build(to);
    expect(problems).toMatchObject([{ kind: 'failed', path: 'psx/Game (USA).cue' }]);
  });

  test("rewrites the playlist of a game's discs, unless a player has changed it", async () => {
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
});
