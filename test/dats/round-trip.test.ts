import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DatRefused, type DatRow } from '../../src/core/imports/dat.ts';
import { emptyTexts, ownFields } from '../../src/core/shared/release-fields.ts';
import { readDat } from '../../src/dats/read-dat.ts';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { chunks, cut, readRows, toClrmamepro, toLogiqx, withoutLine } from './dat-files.ts';

const character = fc.oneof(
  fc.constantFrom('&', '<', '>', '"', "'", '\\', '(', ')', ']]>', ' ', '\n', '\t', '&amp;', '%'),
  fc.constantFrom('ゼ', 'ル', 'ダ', 'é', 'e\u0301', '\u{1F3AE}', '\u00A0', '\uFEFF', 'a', 'Z', '0'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const text = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));
const trimmed = text.map((value) => value.trim());
const key = fc.stringMatching(/^[a-z]{4,12}$/).filter((word) => !['name', 'disk'].includes(word));
const reserved = new Set<string>([...ownFields, 'release', 'cloneof']);

const rom = fc.record({
  name: text,
  size: fc.option(fc.maxSafeNat()),
  crc32: hex(8),
  md5: hex(32),
  sha1: hex(40),
  serial: trimmed,
});

const given = fc.record({
  line: fc.constant(1),
  name: text,
  description: trimmed,
  region: trimmed,
  releaseRegions: fc.uniqueArray(trimmed.filter((region) => region !== '')),
  serial: trimmed,
  roms: fc.array(rom, { maxLength: 4 }),
  fields: fc.dictionary(
    key.filter((word) => !reserved.has(word)),
    trimmed.filter((value) => value !== ''),
    { maxKeys: 3 },
  ),
});
const parent = fc.option(
  text.filter((name) => name !== ''),
  { nil: undefined },
);
const row: fc.Arbitrary<DatRow> = fc.tuple(given, parent).map(([texts, cloneOf]) => ({
  ...emptyTexts,
  ...texts,
  ...(cloneOf !== undefined && { cloneOf }),
}));

const file = fc.record({
  header: fc.record({
    name: trimmed.filter((name) => name !== ''),
    description: trimmed,
    version: trimmed,
  }),
  rows: fc.array(row, { maxLength: 6 }),
});

const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 10 });

const formats = [
  ['clrmamepro', toClrmamepro],
  ['logiqx', toLogiqx],
] as const;

describe.each(formats)('the reader of %s DATs', (format, write) => {
  testSomeAndMany(
    'reads any rows back, whatever the chunk boundaries, $count times',
    { some: 60, many: 300 },
    async (count) => {
      await fc.assert(
        fc.asyncProperty(file, cuts, async ({ header, rows }, lengths) => {
          const read = await readRows(cut(Buffer.from(write(header, rows)), lengths));
          expect(read.format).toBe(format);
          expect(read.headers).toEqual([header]);
          expect(read.rows.map(withoutLine)).toEqual(rows.map(withoutLine));
        }),
        { numRuns: count },
      );
    },
  );

  testSomeAndMany(
    'reads or refuses corrupted bytes, and delivers nothing after a refusal, $count times',
    { some: 100, many: 500 },
    async (count) => {
      const flips = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), {
        minLength: 1,
        maxLength: 5,
      });
      await fc.assert(
        fc.asyncProperty(file, cuts, flips, async ({ header, rows }, lengths, broken) => {
          const bytes = Buffer.from(write(header, rows));
          for (const [at, byte] of broken) bytes[at % bytes.length] = byte;
          const read: DatRow[] = [];
          const sink = { header() {}, row: (next: DatRow) => read.push(next) };
          let wasRefused = false;
          try {
            await readDat(chunks(cut(bytes, lengths)), sink);
          } catch (error) {
            if (!(error instanceof DatRefused)) throw error;
            wasRefused = true;
            for (const { line } of read) expect(line).toBeLessThanOrEqual(error.line);
          }
          const { length } = read;
          await new Promise(setImmediate);
          expect(read.length).toBe(length);
          expect(wasRefused || length <= rows.length + 1).toBe(true);
        }),
        { numRuns: count },
      );
    },
  );
});

describe('the DAT reader', () => {
  test('refuses random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), cuts, async (bytes, lengths) => {
        await expect(
          readDat(chunks(cut(bytes, lengths)), { header() {}, row() {} }),
        ).rejects.toBeInstanceOf(DatRefused);
      }),
      { numRuns: 500 },
    );
  });
});

function hex(length: number): fc.Arbitrary<string> {
  const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), {
    minLength: length,
    maxLength: length,
  });
  return fc.option(digits, { nil: [] }).map((all) => all.join(''));
}
