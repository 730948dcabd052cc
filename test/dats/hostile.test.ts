import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { readDat } from '../../src/dats/read-dat.ts';
import { testSomeAndMany } from '../support/some-and-many.ts';
import { chunks, refusalOf } from './dat-files.ts';

const MIB = 1024 * 1024;
const XML = '<datafile><header><name>P</name></header>';
const TEXT = 'clrmamepro ( name P )\n';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the number of bytes of memory in use after a garbage collection. */
function held(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Returns a source of `start` followed by `size` bytes of repeated `unit`. `state.read` is the
 * number of bytes read so far.
 */
function endless(start: string, unit: string, size = 100 * MIB) {
  const piece = Buffer.from(unit.repeat(Math.ceil((64 * 1024) / unit.length)));
  const state = { read: 0, peak: 0 };
  const pieces = function* () {
    yield Buffer.from(start);
    for (; state.read < size; state.read += piece.length) {
      yield piece;
      if ((state.read / piece.length) % 64 === 0) state.peak = Math.max(state.peak, held());
    }
  };
  return { state, bytes: chunks(pieces()) };
}

describe('the DAT reader', () => {
  test.each([
    ['an attribute', `${XML}<game name="`, 'a', /a text or tag of more than/],
    ['attributes', `${XML}<game`, ' ab="1"', /a text or tag of more than|duplicate attribute/],
    ['a tag name', `${XML}<`, 'a', /a text or tag of more than/],
    ['a text', `${XML}<game name="a"><year>`, 'a', /a text or tag of more than/],
    ['numeric references', `${XML}<game name="a"><year>`, '&#65;', /a text or tag of more than/],
    ['a CDATA section', `${XML}<game name="a"><year><![CDATA[`, 'a', /a text or tag of more than/],
    ['brackets', `${XML}<game name="a"><year><![CDATA[`, ']', /a text or tag of more than/],
    ['a comment', `${XML}<!--`, 'a', /a text or tag of more than/],
    ['an instruction', `${XML}<?x `, '?', /a text or tag of more than/],
    ['an entity name', `${XML}<game name="&`, 'a', /a text or tag of more than/],
    ['a DOCTYPE', '<!DOCTYPE datafile [', ' ', /a text or tag of more than/],
    ['an XML declaration', '<?xml version="', '1', /a text or tag of more than/],
    ['a root name', '<', 'a', /a text or tag of more than/],
    ['a quoted text', `${TEXT}game ( name "`, 'a', /a text of more than/],
    ['escapes', `${TEXT}game ( name "`, '\\"', /a text of more than/],
    ['a word', `${TEXT}game ( name `, 'a', /a text of more than/],
  ])('refuses 100 MiB of %s after reading less than 3 MiB', async (_, start, unit, reason) => {
    const { state, bytes } = endless(start, unit);
    expect(await refusalOf(bytes)).toMatch(reason);
    expect(state.read).toBeLessThan(3 * MIB);
  });

  test.each([
    ['fields in XML', `${XML}<game name="a">`, '<year>1</year>', /a <game> of more than/],
    ['texts in a header', '<datafile><header>', '<a>1</a>', /a <header> of more than/],
    ['fields', `${TEXT}game ( `, 'year 1 ', /a game of more than/],
    ['white space', `${TEXT}game ( `, ' ', /a game of more than/],
    ['roms in XML', `${XML}<game name="a">`, '<rom/>', /more than 100000 roms in one row/],
    ['roms', `${TEXT}game (`, 'rom()', /more than 100000 roms in one row/],
  ])(
    'refuses one row of 100 MiB of %s after reading less than 18 MiB',
    { tags: ['full'] },
    async (_, start, unit, reason) => {
      const { state, bytes } = endless(start, unit);
      expect(await refusalOf(bytes)).toMatch(reason);
      expect(state.read).toBeLessThan(18 * MIB);
    },
  );

  test.each([
    ['elements', XML, '<a>', /elements more than 64 deep/],
    ['elements in a row', `${XML}<game>`, '<a>', /elements more than 64 deep/],
    ['blocks', `${TEXT}game `, '( a ', /more than 64 blocks deep/],
    ['unnamed blocks', `${TEXT}game ( a `, '(', /more than 64 blocks deep/],
  ])('refuses endlessly nested %s', async (_, start, unit, reason) => {
    expect(await refusalOf(start + unit.repeat(100_000))).toMatch(reason);
  });

  describe.each([
    [
      'clrmamepro',
      'clrmamepro ( name P ) ',
      'game ( name "a (b)" rom ( name "a" size 1 crc 12345678 ) ) ',
      '',
    ],
    [
      'XML',
      XML,
      '<game name="a (b)"><rom name="a" size="1" crc="12345678"/></game>',
      '</datafile>',
    ],
  ])('small rows on a single line of %s', (_, start, unit, end) => {
    const name = '$count MiB are read in bounded memory';
    testSomeAndMany(name, { some: 10, many: 100 }, async (count) => {
      const { state, bytes } = endless(start, unit, count * MIB);
      const whole = (async function* () {
        yield* bytes;
        yield Buffer.from(end);
      })();
      const before = held();
      let rows = 0;
      await readDat(whole, { header() {}, row: () => rows++ });
      expect(rows).toBeGreaterThan(count * 10_000);
      expect(state.peak - before).toBeLessThan(8 * MIB);
    });
  });

  testSomeAndMany(
    'refuses $count MiB of white space as an empty file, in bounded memory',
    { some: 16, many: 100 },
    async (count) => {
      const before = held();
      const { state, bytes } = endless('', ' \n', count * MIB);
      expect(await refusalOf(bytes)).toMatch(/^\d+: the file is empty$/);
      expect(state.peak - before).toBeLessThan(8 * MIB);
    },
  );
});
