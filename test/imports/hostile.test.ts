import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { clrmamepro, game, xml } from './support/dat-text.ts';
import { type ImportsFixture, imported, refusal, useImports } from './support/imports-fixture.ts';
import { type Member, zipOf } from './support/zip-file.ts';

const rows = Array.from({ length: 12 }, (_, i) =>
  game(`Game ${i}`, `seed ${i}`, { serial: `ABCD-1234${i}`, description: 'é'.repeat(i) }),
);
const good = xml(rows);

/**
 * Imports the file between two valid files. Expects that the file is refused and leaves the tables
 * unchanged. Returns the reasons.
 */
async function refusedAmongGood(
  imports: ImportsFixture,
  paths: string | readonly string[],
): Promise<string[]> {
  const a = await imports.write('good-a.dat', xml(rows, 'Good a'));
  const b = await imports.write('good-b.dat', clrmamepro(rows, 'Good b'));
  await imports.run([a, b]);
  const before = imports.dump({ withoutHistory: true });
  const reports = await imports.run([a, ...[paths].flat(), b]);
  expect(imported(reports[0]).counts.unchanged).toBe(rows.length);
  expect(imported(reports.at(-1)).counts.unchanged).toBe(rows.length);
  expect(imports.dump({ withoutHistory: true })).toBe(before);
  return reports.slice(1, -1).map((report) => refusal(report).replaceAll(imports.folder, ''));
}

const doctype = (subset: string, use: string) =>
  good.replace('<datafile>', `<!DOCTYPE datafile [${subset}]>\n<datafile>`).replace('Game 3', use);
const deep = (depth: number) =>
  good.replace('<rom ', `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}<rom `);

describe('hostile DAT files', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['billion laughs', doctype('<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">', '&b;'), /:\d+: .*entit/],
    [
      'too many uses of one entity',
      doctype(`<!ENTITY a "${'x'.repeat(9000)}">`, '&a;'.repeat(8)),
      /:8: entities that expand/,
    ],
    [
      'external entity',
      doctype('<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'),
      /external entities are not taken/,
    ],
    [
      'parameter entity',
      doctype('<!ENTITY % a SYSTEM "http://127.0.0.1/">%a;', 'x'),
      /parameter entities are not taken/,
    ],
    ['unknown entity', doctype('', '&nothing;'), /:8: /],
    ['nesting of 100 levels', deep(100), /:4: elements more than 64 deep/],
    ['nesting of 100,000 levels', deep(100_000), /elements more than 64 deep/],
    ['a wrong tag', good.replace('</game>\n', '</rom>\n'), /:4: not well-formed/],
    ['two roots', `${good}<datafile/>`, /:\d+: /],
    ['binary noise', randomBytes(100_000), /:\d+: /],
    [
      'a DAT that continues with binary noise',
      Buffer.concat([Buffer.from(good.slice(0, 600)), randomBytes(5000)]),
      /:\d+: /,
    ],
    ['a NUL', good.replace('Game 7', 'Game\x007'), /:11: .*NUL/],
    [
      'Latin-1 that is declared as UTF-8',
      Buffer.from(good, 'latin1'),
      /:\d+: bytes that are not valid utf-8/,
    ],
    [
      'an unknown encoding',
      good.replace('?>', ' encoding="klingon"?>'),
      /unknown encoding "klingon"/,
    ],
    [
      'UTF-16 cut within a character',
      Buffer.from(`\uFEFF${good}`, 'utf16le').subarray(0, 801),
      /:\d+: /,
    ],
    ['a bad hash', good.replace(/sha1="2/, 'sha1="g'), /:4: rom sha1 ".*" is not 40 hex digits/],
    ['a bad size', good.replace('size="1006"', 'size="-5"'), /:4: rom size "-5" is not a number/],
    ['no header', good.replace(/<header>.*<\/header>/, ''), /no header/],
    [
      'a second header',
      good.replace('</datafile>', '<header><name>x</name></header></datafile>'),
      /a second header/,
    ],
  ])('are refused with line and reason: %s', async (_, content, reason) => {
    const imports = await useImports();
    const path = await imports.write('bad.dat', content);
    const [message] = await refusedAmongGood(imports, path);
    expect(message).toMatch(/^\/bad\.dat:\d+: /);
    expect(message).toMatch(reason);
    expect(message?.length).toBeLessThan(300);
  });

  test('are refused if one of their lines has 100 MB', { tags: ['full'] }, async () => {
    const imports = await useImports();
    const path = join(imports.folder, 'line.dat');
    const block = Buffer.alloc(1024 * 1024, 'a');
    await pipeline(async function* () {
      yield Buffer.from(`${good.slice(0, good.indexOf('Game 5'))}`);
      for (let i = 0; i < 100; i++) yield block;
    }, createWriteStream(path));
    const [message] = await refusedAmongGood(imports, path);
    expect(message).toMatch(/^\/line\.dat:\d+: a text or tag of more than 1048576 characters$/);
  });

  const cuts = { some: 10, many: 40 };
  testSomeAndMany('change no table when cut at $count places', cuts, async (count) => {
    const imports = await useImports();
    await imports.take(good);
    const changed = xml(rows.map((row, i) => ({ ...row, name: `${row.name} ${i % 2}` })));
    const before = imports.dump();
    const bytes = Buffer.from(changed);
    const end = changed.trimEnd().length;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: Buffer.byteLength(changed.slice(0, end)) - 1 }),
        async (at) => {
          const path = await imports.write('cut.dat', bytes.subarray(0, at));
          expect(refusal((await imports.run(path))[0])).toMatch(/cut\.dat:\d+: /);
          expect(imports.dump()).toBe(before);
        },
      ),
      { numRuns: count },
    );
  });

  const changedFiles = 'are imported whole or refused with a line if bytes change, $count times';
  testSomeAndMany(changedFiles, { some: 6, many: 40 }, async (count) => {
    const imports = await useImports();
    for (const text of [good, clrmamepro(rows)]) {
      const bytes = Buffer.from(text);
      const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
          const mutant = Buffer.from(bytes);
          for (const [at, value] of changes) mutant[at] = value;
          const path = await imports.write('mutant.dat', mutant);
          const before = imports.dump();
          const [report] = await imports.run(path);
          if (report !== undefined && 'refused' in report) {
            expect(report.refused).toMatch(/mutant\.dat:\d+: /);
            expect(imports.dump()).toBe(before);
          } else expect(imported(report).counts.rows).toBeGreaterThan(0);
        }),
        { numRuns: count },
      );
    }
  });

  const sameRows = 'can have $count rows of one name, of one dump or of both, twice';
  testSomeAndMany(sameRows, { some: 200, many: 8_000 }, async (count) => {
    const imports = await useImports();
    const numbers = Array.from({ length: count }, (_, i) => i);
    const dats = [
      xml(
        numbers.map((i) => game('Same', `${i}`)),
        'One name',
      ),
      xml(
        numbers.map((i) => game(`Game ${i}`, 'same')),
        'One dump',
      ),
      xml(
        numbers.map((i) => game('Same', 'same', { serial: `A-${i % 100}` })),
        'Both',
      ),
      xml(
        numbers.map((i) => ({ name: 'Same', roms: [{ name: `${i}`, size: i }] })),
        'No dump',
      ),
      xml(
        numbers.map((i) => game('Same', `${i}`, { region: 'Japan' })),
        'One name',
      ),
    ];
    for (const dat of dats) {
      for (const source of [undefined, undefined, 'other']) {
        const counts = await imports.take(dat, source === undefined ? {} : { source });
        expect(counts.rows).toBe(numbers.length);
      }
    }
  });
});

describe('hostile zips of DAT files', () => {
  const member: Member = { name: 'good.dat', content: xml(rows, 'In a zip') };
  const size = 64 * 1024 ** 2;
  let packed: Buffer | undefined;
  const zeros = () => (packed ??= deflateRawSync(Buffer.alloc(size)));

  test.each<[string, () => Buffer, RegExp]>([
    ['10 GB of zeros', () => bomb(160), /a zip bomb/],
    [
      'a bomb of many members',
      () =>
        zipOf(
          Array.from({ length: 40 }, (_, i) => ({
            name: `${i}.dat`,
            content: zeros(),
            isPacked: true,
            stated: { size },
          })),
        ),
      /a zip bomb/,
    ],
    [
      'more bytes than stated',
      () =>
        zipOf([
          {
            name: 'a.dat',
            content: deflateRawSync(Buffer.alloc(5_000_000, ' ')),
            isPacked: true,
            stated: { size: 100 },
          },
        ]),
      /damaged: it holds more bytes than it says/,
    ],
    [
      'fewer bytes than stated',
      () => zipOf([{ ...member, stated: { size: 1_000_000 } }]),
      /damaged: it holds fewer bytes than it says/,
    ],
    ['a bad CRC', () => zipOf([{ ...member, stated: { crc: 1 } }]), /damaged: its checksum/],
    ['an encrypted file', () => zipOf([{ ...member, stated: { flags: 1 } }]), /it is encrypted/],
    ['another compression', () => zipOf([{ ...member, stated: { method: 14 } }]), /method 14/],
    [
      'a zip in a zip',
      () => zipOf([{ name: 'in.zip', content: zipOf([member]) }]),
      /a zip within a zip is not read/,
    ],
    [
      'a broken DAT in a zip',
      () => zipOf([{ ...member, content: good.slice(0, -20) }]),
      /bad\.zip:good\.dat:\d+: the file ends/,
    ],
    ['a name with `..`', () => zipOf([{ ...member, name: '../../x.dat' }]), /\.\.\/\.\.\/x/],
    ['an absolute name', () => zipOf([{ ...member, name: '/etc/x.dat' }]), /\/etc\/x/],
    [
      '20,001 entries',
      () => zipOf(Array.from({ length: 20_001 }, (_, i) => ({ name: `${i}`, content: '' }))),
      /holds more than 20000 files/,
    ],
    ['a truncated zip', () => zipOf([member]).subarray(0, -30), /cannot be read/],
    ['noise in the middle', () => noisy(zipOf([member])), /cannot be read|damaged/],
    ['only the first bytes of a zip', () => Buffer.from('PK\x03\x04', 'latin1'), /cannot be read/],
  ])('are refused with the reason: %s', async (_, make, reason) => {
    const imports = await useImports();
    const path = await imports.write('bad.zip', make());
    const [message] = await refusedAmongGood(imports, path);
    expect(message).toMatch(reason);
    expect(message).toMatch(/^\/bad\.zip:? ?/);
    expect(message?.length).toBeLessThan(300);
  });

  test('have their good members imported despite broken ones', async () => {
    const imports = await useImports();
    const path = await imports.write(
      'mixed.zip',
      zipOf([
        { name: 'broken.dat', content: good.slice(0, 500) },
        member,
        { ...member, name: 'encrypted.dat', stated: { flags: 1 } },
        { ...member, name: 'crc.dat', stated: { crc: 7 } },
      ]),
    );
    const [broken, taken, encrypted, crc] = await imports.run(path);
    expect(imported(taken).counts.new).toBe(rows.length);
    expect(
      [broken, encrypted, crc].map((one) => refusal(one).replaceAll(imports.folder, '')),
    ).toEqual([
      expect.stringMatching(/^\/mixed\.zip:broken\.dat:\d+: the file ends/),
      '/mixed.zip:encrypted.dat: it is encrypted: unpack it first',
      '/mixed.zip:crc.dat: it is damaged: its checksum (CRC-32) does not match',
    ]);
  });

  const changedZips = 'are imported or refused if bytes change, $count times';
  testSomeAndMany(changedZips, { some: 20, many: 100 }, async (count) => {
    const imports = await useImports();
    const bytes = zipOf([member, { ...member, name: 'two.dat', isStored: true }]);
    await imports.run(await imports.write('good.zip', bytes));
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    // Most bytes are content, but the bytes at both ends are more important. Change the bytes at
    // both ends more often.
    const edge = fc.tuple(
      fc.integer({ min: bytes.length - 140, max: bytes.length - 1 }),
      fc.integer({ min: 0, max: 255 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(change, edge), { minLength: 1, maxLength: 3 }),
        async (changes) => {
          const mutant = Buffer.from(bytes);
          for (const [at, value] of changes) mutant[at] = value;
          const reports = await imports.run(await imports.write('mutant.zip', mutant));
          expect(reports.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: count },
    );
  });

  function bomb(blocks: number): Buffer {
    const packed = Buffer.concat(Array.from({ length: blocks }, () => zeros().subarray(0, 65_000)));
    return zipOf([
      { name: 'a.dat', content: packed, isPacked: true, stated: { size: 0xfffffff0 } },
    ]);
  }

  function noisy(zip: Buffer): Buffer {
    const copy = Buffer.from(zip);
    copy.fill(0xff, 60, 200);
    return copy;
  }
});
