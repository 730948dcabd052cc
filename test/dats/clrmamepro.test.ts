import { describe, expect, test } from 'vitest';
import { readRows, refusalOf } from './dat-files.ts';

const HEADER = 'clrmamepro (\n\tname "Platform"\n)\n';

describe('the reader of clrmamepro DATs', () => {
  test('trims the values of the header', async () => {
    const { headers } = await readRows(
      'clrmamepro (\n name " Platform "\n description "All of it"\n version 20260801\n author x )\ngame ( name a )',
    );
    expect(headers).toEqual([{ name: 'Platform', description: 'All of it', version: '20260801' }]);
  });

  test('reads emulator headers and machine, resource and software rows', async () => {
    const { headers, rows } = await readRows(
      'emulator ( name MAME )\nmachine ( name a )\nresource ( name b )\nsoftware ( name c )',
    );
    expect(headers[0]?.name).toBe('MAME');
    expect(rows.map((row) => [row.line, row.name])).toEqual([
      [2, 'a'],
      [3, 'b'],
      [4, 'c'],
    ]);
  });

  test('keeps parentheses, escapes, paths and line breaks in quoted text', async () => {
    const { rows } = await readRows(
      `${HEADER}game ( name "a (b) \\"c\\" \\\\ d\\e\nf ) (" rom (name "x" size 1)disk ( name d ))\n`,
    );
    expect(rows[0]?.name).toBe('a (b) "c" \\ d\\e\nf ) (');
    expect(rows[0]?.roms.map((rom) => [rom.name, rom.size])).toEqual([
      ['x', 1],
      ['d', null],
    ]);
  });

  test('reads unknown texts as fields, the first of each name, but no unknown blocks', async () => {
    const { rows } = await readRows(
      `${HEADER}game ( comment "A" Genre "Action " genre "Other" __proto__ "x" developer ""
      file ( odd ( words ) ( and ) blocks ) release ( name "a" region "EU" ) release ( region US )
      release ( region EU ) serial "S1" )`,
    );
    expect({ ...rows[0]?.fields }).toEqual({ comment: 'A', genre: 'Action', ['__proto__']: 'x' });
    expect(rows[0]?.releaseRegions).toEqual(['EU', 'US']);
    expect(rows[0]).toMatchObject({ name: '', serial: 'S1', region: '', roms: [] });
  });

  test('normalises hashes, and drops those of a ROM that was never dumped', async () => {
    const { rows } = await readRows(
      `${HEADER}game ( name a rom ( crc AB1 md5 - sha1 "" size "-" )
     rom ( name b size 5 crc 00000000 flags nodump ) rom ( name c crc 0xABCDEF01 ) )`,
    );
    expect(rows[0]?.roms).toEqual([
      { name: '', size: null, crc32: '00000ab1', md5: '', sha1: '', serial: '' },
      { name: 'b', size: 5, crc32: '', md5: '', sha1: '', serial: '' },
      { name: 'c', size: null, crc32: 'abcdef01', md5: '', sha1: '', serial: '' },
    ]);
  });

  test('accepts a DAT that has only a header', async () => {
    const { headers, rows } = await readRows(HEADER);
    expect([headers.length, rows.length]).toEqual([1, 0]);
  });

  test.each([
    ['', '1: the file is empty'],
    ['\n \n', '3: the file is empty'],
    ['\nhello world', '2: not a DAT file: it starts with "hello world"'],
    ['{"a": 1}', '1: not a DAT file: it starts with "{\\"a\\": 1}"'],
    ['gamers ( name a )', '1: not a DAT file: it starts with "gamers ( name a )"'],
    ['\n\ngame ( name a )', '3: no header before the first row'],
    ['clrmamepro ( version 1 )\ngame ( name a )', '2: no header name'],
    ['clrmamepro ( name " " )\n', '2: no header name'],
    [`${HEADER}${HEADER}`, '6: a second header'],
    [`${HEADER}game (\n name "a"\n`, '6: the file ends inside a game'],
    [`${HEADER}game (\n name "a\n`, '5: the file ends inside the quoted text that begins here'],
    ['clrmamepro (\n name "a"\n', '3: the file ends inside a clrmamepro'],
    [`${HEADER}game`, '4: the file ends after "game"'],
    [`${HEADER}game ( name "a" ) )`, '4: a ")" too many'],
    [`${HEADER}game ( name )`, '4: no value after "name"'],
    [`${HEADER}game game ( name a )`, '4: no "(" after "game"'],
    [`${HEADER}game ( ( a ) )`, '4: a "(" without a word before it'],
    [`${HEADER}gam ( name a )`, '4: "gam" is no block that a DAT file has'],
    [`${HEADER}game (\n name "a "quoted" b" )`, '5: text right after a closing quote'],
    [`${HEADER}game ( name a\nrom ( size 12x ) )`, '5: rom size "12x" is not a number'],
    [`${HEADER}game ( rom ( size -1 ) )`, '4: rom size "-1" is not a number'],
    [
      `${HEADER}game ( rom ( size 9007199254740993 ) )`,
      '4: rom size "9007199254740993" is too large',
    ],
    [`${HEADER}game ( rom ( crc 123456789 ) )`, '4: rom crc "123456789" is not 8 hex digits'],
    [`${HEADER}game ( rom ( md5 12 ) )`, '4: rom md5 "12" is not 32 hex digits'],
    [`${HEADER}game ( rom ( sha1 xyz ) )`, '4: rom sha1 "xyz" is not 40 hex digits'],
  ])('refuses %j', async (text, refusal) => {
    expect(await refusalOf(text)).toBe(refusal);
  });

  test('passes on an error thrown by the sink', async () => {
    const { readDat } = await import('../../src/dats/read-dat.ts');
    const bytes = (async function* () {
      yield Buffer.from(`${HEADER}game ( name a )`);
    })();
    const stop = new Error('stop');
    const sink = {
      header() {},
      row() {
        throw stop;
      },
    };
    await expect(readDat(bytes, sink)).rejects.toBe(stop);
  });
});
