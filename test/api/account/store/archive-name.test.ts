import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanArchiveName } from '../../../../src/core/store/archive-name.ts';
import { areaOf } from '../../../../src/core/store/area.ts';

const allowed = /^(?:\p{L}\p{M}*|[\p{Nd}._() -])+$/u;

/** Returns the cleaned name, or the reason why the name is refused. */
function clean(supplied: string): string {
  try {
    return cleanArchiveName(supplied);
  } catch (error) {
    return `! ${(error as Error).message}`;
  }
}

const names = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      ...[
        '.',
        '..',
        '/',
        '\\',
        '\0',
        '\n',
        '\r',
        '"',
        ' ',
        '%2F',
        '%',
        '_',
        '(',
        ')',
        '-',
        'a',
        'Z',
        '9',
      ],
      ...[
        'e',
        '\u0301',
        '\u00e9',
        '\u1100',
        '\u1161',
        '\u11a8',
        '\uac00',
        'か',
        '\u3099',
        '\u212b',
        '\u0958',
      ],
      ...[
        '\u{1F600}',
        '\u{1D7D8}',
        '\u0663',
        '\u2160',
        '\u00bd',
        '\ud800',
        '\udc00',
        '\u200d',
        '\u202e',
      ],
    ),
    maxLength: 40,
  }),
);

describe('the stored name of an archive at endpoint 18', () => {
  test('is clean, in NFC, without a path, at most 255 bytes, and stable if cleaned again', () => {
    fc.assert(
      fc.property(names, (supplied) => {
        const name = clean(supplied);
        if (name === '! invalid filename') return;
        expect(name).toMatch(allowed);
        expect(name).toBe(name.normalize('NFC'));
        expect(name).not.toMatch(/^ *$|^\.*$|[/\\\0]/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(clean(name)).toBe(name);
      }),
      { numRuns: 20_000 },
    );
  });

  test.each([
    ['game.zip', 'game.zip'],
    ['A (Japan) [v1.0]_x-y.zip', 'A (Japan) v1.0_x-y.zip'],
    ['../../evil.iso', '....evil.iso'],
    ['..\\..\\evil.iso', '....evil.iso'],
    ['C:\\x\\y.zip', 'Cxy.zip'],
    ['a/b', 'ab'],
    ['a\0b\r\nc"d', 'abcd'],
    ['ファイナル 7.zip', 'ファイナル 7.zip'],
    ['か\u3099.zip', 'が.zip'],
    ['e\u0301.zip', '\u00e9.zip'],
    // हिन्दी
    ['\u0939\u093f\u0928\u094d\u0926\u0940.zip', '\u0939\u093f\u0928\u094d\u0926\u0940.zip'],
    ['\u0e17\u0e35\u0e48.zip', '\u0e17\u0e35\u0e48.zip'], // ที่
    ['x\u0323\u0301\u0302.zip', 'x\u0323\u0301\u0302.zip'],
    ['\u0958.zip', '\u0915\u093c.zip'],
    ['\u0301x.zip', 'x.zip'],
    ['1\u0301\u0302.zip', '1.zip'],
    ['x!\u0301\u0302y.zip', 'xy.zip'],
    ['x\u200d\u0301.zip', 'x.zip'],
    ['\u0663\u0664.zip', '\u0663\u0664.zip'],
    ['\u2160\u00bd\u00b2.zip', '.zip'],
    ['\u{1F600}.zip', '.zip'],
    ['\u202egpj.exe', 'gpj.exe'],
    ['x%2Fy', 'x2Fy'],
    [' a ', ' a '],
    ['.hidden', '.hidden'],
    ['a.', 'a.'],
    ['. .', '. .'],
    ['CON', 'CON'],
    ['é'.repeat(127), 'é'.repeat(127)],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['', '! invalid filename'],
    ['.', '! invalid filename'],
    ['..', '! invalid filename'],
    ['...', '! invalid filename'],
    [' ', '! invalid filename'],
    ['   ', '! invalid filename'],
    ['../..', '! invalid filename'],
    ['/', '! invalid filename'],
    ['!?*', '! invalid filename'],
    ['\u{1F600}', '! invalid filename'],
    ['\u0301', '! invalid filename'],
    ['x'.repeat(256), '! invalid filename'],
    ['é'.repeat(128), '! invalid filename'],
  ])('is cleaned from %j to %j', (supplied, name) => {
    expect(clean(supplied)).toBe(name);
  });
});

describe('the store', () => {
  test.each([
    ['videos', 'videos'],
    ['games', 'games'],
    ['', 'games'],
    ['Videos', 'games'],
    ['videos ', 'games'],
    ['../covers', 'games'],
    ['__proto__', 'games'],
  ])('maps system %j to area %s at endpoint 16', (system, area) => {
    expect(areaOf(system)).toBe(area);
  });
});
