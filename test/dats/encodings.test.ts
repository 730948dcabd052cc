import { describe, expect, test } from 'vitest';
import { cut, readRows, refusalOf } from './dat-files.ts';

const TEXT = 'clrmamepro ( name "P" )\ngame ( name "ゼルダ é 🎮" )\n';
const BOM = '\uFEFF';

describe('the DAT reader', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(BOM + TEXT)],
    ['UTF-16 LE', Buffer.from(BOM + TEXT, 'utf16le')],
    ['UTF-16 BE', Buffer.from(BOM + TEXT, 'utf16le').swap16()],
  ])('reads a DAT in %s, whatever the chunk size', async (_, bytes) => {
    for (const lengths of [[1], [3], [bytes.length]]) {
      const { rows, size } = await readRows(cut(bytes, lengths));
      expect(rows.map((row) => [row.line, row.name])).toEqual([[2, 'ゼルダ é 🎮']]);
      expect(size).toBe(bytes.length);
    }
  });

  test.each([
    ['ISO-8859-1', [0xe9, 0x20, 0xfc], 'é ü'],
    ['windows-1252', [0x93, 0x80, 0x94], '“€”'],
    ['shift_jis', [0x83, 0x5b, 0x83, 0x8b, 0x83, 0x5f], 'ゼルダ'],
    ['utf-16', [0xc3, 0xa9], 'é'],
    ['UTF-8', [0xef, 0xbb, 0xbf, 0x41], '\uFEFFA'],
  ])('decodes XML with the encoding of its declaration: %s', async (label, name, expected) => {
    const bytes = xml(label, name);
    for (const lengths of [[1], [bytes.length]]) {
      const { rows } = await readRows(cut(bytes, lengths));
      expect(rows[0]?.name).toBe(expected);
    }
  });

  test('prefers the byte order mark to the encoding in the XML declaration', async () => {
    const text = xml('shift_jis', [...Buffer.from('é')]);
    const { rows } = await readRows(Buffer.concat([Buffer.from(BOM), text]));
    expect(rows[0]?.name).toBe('é');
  });

  test.each([
    ['an invalid byte', xml('UTF-8', [0xe9, 0x20]), '4: bytes that are not valid utf-8'],
    [
      'an invalid shift_jis byte',
      xml('shift_jis', [0x83, 0x0a]),
      '4: bytes that are not valid shift_jis',
    ],
    ['an unknown encoding', xml('klingon', [0x41]), '1: unknown encoding "klingon"'],
    ['an overlong character', Buffer.from([0x3c, 0xc0, 0x80]), '1: bytes that are not valid utf-8'],
    ['a cut character', Buffer.from([0x3c, 0xe3, 0x82]), '1: the file ends inside a character'],
    [
      'half a surrogate pair',
      utf16('clrmamepro (\n name "\uD83C" )\n'),
      '2: bytes that are not valid utf-16le',
    ],
    [
      'half a code unit',
      utf16('clrmamepro ( ').subarray(0, -1),
      '1: the file ends inside a character',
    ],
    [
      'a NUL',
      Buffer.from('clrmamepro (\n name "\0" )'),
      '2: not a DAT file: it holds NUL characters (binary)',
    ],
    [
      'UTF-16 without a mark',
      utf16(TEXT).subarray(2),
      '1: not a DAT file: it holds NUL characters (binary)',
    ],
    [
      'a zip',
      Buffer.from('PK\x03\x04\x14\0\0\0'),
      '1: not a DAT file: it holds NUL characters (binary)',
    ],
  ])('refuses %s and reports its line', async (_, bytes, refusal) => {
    expect(await refusalOf(bytes)).toBe(refusal);
    expect(await refusalOf(cut(bytes, [1]))).toBe(refusal);
  });

  test('refuses an invalid byte deep in the file and reports its line', async () => {
    const game = 'game (\n name "ゼルダ"\n)\n';
    const bytes = Buffer.from(`clrmamepro ( name "P" )\n${game.repeat(20_000)}`);
    const place = bytes.indexOf('name', 500_000);
    const line = bytes.subarray(0, place).toString().split('\n').length;
    bytes[place] = 0xff;
    expect(await refusalOf(bytes)).toBe(`${line}: bytes that are not valid utf-8`);
    expect(await refusalOf(cut(bytes, [7]))).toBe(`${line}: bytes that are not valid utf-8`);
  });
});

function utf16(text: string): Buffer {
  return Buffer.from(BOM + text, 'utf16le');
}

function xml(label: string, name: number[]): Buffer {
  return Buffer.concat([
    Buffer.from(
      `<?xml version="1.0" encoding="${label}"?>\n<datafile>\n<header><name>P</name></header>\n<game name="`,
    ),
    Buffer.from(name),
    Buffer.from('"/>\n</datafile>'),
  ]);
}
