import { describe, expect, test } from 'vitest';
import { readRows, refusalOf } from './dat-files.ts';

const nameOf = async (subset: string, name: string) =>
  (await readRows(dat(subset, name))).rows[0]?.name;

describe('the reader of XML entities', () => {
  test.each([
    ['', '&lt;&amp;&gt;&quot;&apos;&#65;&#x30bc;', '<&>"\'Aゼ'],
    ['<!ENTITY pub "Sony">', '&pub; &pub;', 'Sony Sony'],
    ["<!ENTITY pub 'S&amp;T &#233; &#38;#60; &lt; [x] >'>", '&pub;', 'S&T é < < [x] >'],
    [
      '<!ENTITY a "1"><!ENTITY a "2"><!ENTITY lt "&#38;#60;"><!ENTITY gt "x">',
      '&a;&lt;&gt;',
      '1<>',
    ],
    [
      `<!-- it's "a" <!ENTITY b "x"> --> <?pi "?> <!ELEMENT datafile (game*)>
     <!ATTLIST game name CDATA "a>b" x CDATA #IMPLIED><!ENTITY a "1">`,
      '&a;',
      '1',
    ],
  ])('resolves the entities declared by %j in the name %j', async (subset, name, expected) => {
    expect(await nameOf(subset, name)).toBe(expected);
  });

  test('reads a million numeric references spread over many rows', async () => {
    const games = `<game name="${'&#65;'.repeat(20_000)}"/>`.repeat(50);
    const { rows } = await readRows(`<datafile><header><name>P</name></header>${games}</datafile>`);
    expect(rows.length).toBe(50);
    expect(rows.every((row) => row.name.length === 20_000)).toBe(true);
  });

  test.each([
    ['SYSTEM', '<!ENTITY x SYSTEM "file:///etc/passwd">', /external entities are not taken/],
    ['PUBLIC', '<!ENTITY x PUBLIC "a" "http://127.0.0.1/">', /external entities are not taken/],
    [
      'parameter',
      '<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;',
      /parameter entities are not/,
    ],
    ['parameter in a value', '<!ENTITY x "%y;">', /parameter entities are not taken/],
    ['parameter use', '%x;', /parameter entities are not taken/],
    ['nested', '<!ENTITY x "a"><!ENTITY y "&x;&x;">', /entity "y" uses another one: "&x;"/],
    [
      'nested before the declaration',
      '<!ENTITY y "&x;"><!ENTITY x "a">',
      /entity "y" uses another one/,
    ],
    ['nested by a reference', '<!ENTITY y "&#38;x;">', /entity "y" uses another one/],
    ['a reference to itself', '<!ENTITY x "&x;">', /entity "x" uses another one/],
    ['bare ampersand', '<!ENTITY x "a & b">', /entity "x" uses another one/],
    ['markup', '<!ENTITY x "<rom/>">', /entity "x" holds markup/],
    ['markup by reference', '<!ENTITY x "&#60;rom/>">', /entity "x" holds markup/],
    ['a reference to no character', '<!ENTITY x "&#xD800;">', /entity "x" names no character/],
    ['nonsense', '<!FOO bar>', /a DOCTYPE that cannot be read at "<!FOO bar>/],
    ['no value', '<!ENTITY x>', /an entity that cannot be read/],
    ['notation', '<!ENTITY x SYSTEM "a" NDATA gif>', /external entities are not taken/],
  ])('refuses entity declarations: %s', async (_, subset, reason) => {
    expect(await refusalOf(dat(subset, ''))).toMatch(reason);
  });

  test('expands entities to at most 64 KiB', async () => {
    const kib = 'é'.repeat(512);
    const subset = `<!ENTITY k "${kib}">`;
    expect(await nameOf(subset, '&k;'.repeat(64))).toBe(kib.repeat(64));
    expect(await refusalOf(dat(subset, '&k;'.repeat(65)))).toMatch(
      /^1: entities that expand to more than 65536 bytes$/,
    );
  });

  test('refuses the billion laughs attack and quadratic blowup', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    );
    expect(await refusalOf(dat(`<!ENTITY l0 "lol">${laughs.join('')}`, '&l9;'))).toMatch(
      /entity "l1" uses another one/,
    );
    const large = `<!ENTITY a "${'a'.repeat(50_000)}">`;
    expect(await refusalOf(dat(large, '&a;'.repeat(100_000)))).toMatch(/expand to more than/);
    expect(await refusalOf(dat(`<!ENTITY a "${'a'.repeat(70_000)}">`, ''))).toMatch(
      /a DOCTYPE of more than 65536 characters/,
    );
  });
});

function dat(subset: string, name: string): string {
  return `<!DOCTYPE datafile SYSTEM "nowhere.dtd" [${subset}]><datafile><header><name>P</name></header><game name="${name}"/></datafile>`;
}
