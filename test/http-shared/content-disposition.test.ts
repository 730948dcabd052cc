import { describe, expect, test } from 'vitest';
import { attachmentHeader } from '../../src/http/shared/files/content-disposition.ts';
import { parseHttpDate } from '../../src/http/shared/files/http-date.ts';

/**
 * Returns the name under which a client saves a file. Parses the header with the grammar of RFC
 * 6266. Throws if the header does not match.
 */
function savedAs(header: string): string {
  const form =
    /^attachment; filename="((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"(?:; filename\*=UTF-8''((?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})*))?$/;
  const [, plain, extended] = form.exec(header) ?? [];
  if (plain === undefined) throw new Error(`not by the grammar: ${header}`);
  return extended === undefined ? plain.replace(/\\(.)/g, '$1') : decodeURIComponent(extended);
}

describe('the file name in a Content-Disposition header', () => {
  test.each([
    'plain.iso',
    'Game (USA) (Disc 1).zip',
    'a;b=c,d.bin',
    "it's",
    '100%',
    '%41.iso',
    'q"uote',
    'back\\slash',
    '\\"',
    'é',
    'e\u0301',
    '日本語.iso',
    '😀',
    'cr\r\nX-Evil: 1',
    'nul\0',
    'tab\t',
    '\x7f',
    '\u202egpj.exe',
    'x'.repeat(255),
    '',
    'a*b(c)!',
    "UTF-8''x",
  ])('is decoded unchanged: %j', (name) => {
    const header = attachmentHeader(name);
    expect(header).toMatch(/^[\x20-\x7e]*$/);
    expect(savedAs(header)).toBe(name);
  });

  test('is sent only once when it is plain ASCII', () => {
    expect(attachmentHeader('Game (USA).zip')).toBe('attachment; filename="Game (USA).zip"');
  });

  test('makes a valid header even if it has half a surrogate pair', () => {
    expect(savedAs(attachmentHeader('a\ud800b'))).toBe('a\ufffdb');
  });
});

describe('the parser of HTTP dates', () => {
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', 784111777000],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 784111777000],
    ['Sun Nov  6 08:49:37 1994', 784111777000],
    ['Sun, 06 Nov 1994 08:49:37 +0100', null],
    ['1994-11-06', null],
    ['784111777', null],
    ['Sun, 06 Nov 1994 28:49:37 GMT', null],
    ['', null],
  ])('accepts only the three formats of RFC 9110: %j', (text, ms) => {
    expect(parseHttpDate(text)).toBe(ms);
  });
});
