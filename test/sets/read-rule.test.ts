import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRule, ruleLimits } from '../../src/core/sets/read-rule.ts';
import { CatalogError } from '../../src/core/shared/errors.ts';

const psp = { field: 'platform', is: 'Sony - PSP' };

/** Returns the message with which a rule is refused; "" if it is accepted. */
function problemOf(rule: unknown): string {
  try {
    readRule(rule);
    return '';
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'unprocessable') throw error;
    return error.message;
  }
}

/** Wraps a rule in `depth` groups. */
const nested = (depth: number, rule: unknown = psp) =>
  Array.from({ length: depth }).reduce((inner: unknown) => ({ all: [inner] }), rule);

describe('the reader of rules', () => {
  test('returns groups and conditions of every field as they were sent', () => {
    const rule = {
      all: [
        psp,
        {
          any: [
            { field: 'region', in: ['Europe', 'World'] },
            { field: 'language', is: 'Pt-BR' },
          ],
        },
        { not: { field: 'genre', contains: 'sport' } },
        { field: 'system', is: 'games' },
        { field: 'developer', in: ['A', 'B'] },
        { field: 'publisher', is: 'P' },
        { field: 'franchise', contains: 'F' },
        { field: 'year', from: 1995, to: 2001 },
        { field: 'year', in: [0, 9999] },
        { field: 'search', contains: 'tekken 3' },
        { field: 'library', in: ['have', 'verified', 'missing'] },
        { field: 'cover', in: ['missing', 'have'] },
        { not: { field: 'cover', is: 'have' } },
        { field: 'added_days', to: 30 },
        { field: 'release_ids', in: [] },
        { field: 'set', is: 7 },
        { all: [] },
      ],
    };
    expect(readRule(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
  });

  describe('the refusal of a rule', () => {
    test.each<[string, unknown]>([
      ['rule: must be an object', undefined],
      ['rule: must be an object', null],
      ['rule: must be an object', []],
      ['rule: must be an object', 'all'],
      ['rule: must have either "field" or one of "all" or "any" or "not"', {}],
      ['rule: must have either "field" or one of "all" or "any" or "not"', { all: [], any: [] }],
      ['rule: must have either "field" or one of "all" or "any" or "not"', { none: [] }],
      ['rule.all: must be an array', { all: {} }],
      ['rule.not: must be an object', { not: [psp] }],
      ['rule.any[1]: must be an object', { any: [psp, 'x'] }],
      ['rule.all[0].not.any[2]: there is no field "x"', inThird({ field: 'x', is: 'y' })],
      ['rule.all[0].not.any[2]: field must be a text', inThird({ field: 7, is: 'y' })],
      ['rule: there is no field "__proto__"', JSON.parse('{"field": "__proto__", "is": 1}')],
      ['rule: there is no field "constructor"', { field: 'constructor', is: 'x' }],
      ['rule: there is no operator "__proto__"', JSON.parse('{"field": "year", "__proto__": 1}')],
      ['rule: there is no operator "like"', { field: 'genre', like: 'x' }],
      ['rule: there is no operator "a?b"', { field: 'genre', 'a\nb': 'x' }],
      ['rule: search takes "contains", not "is"', { field: 'search', is: 'x' }],
      ['rule: system takes "is" or "in", not "from"', { field: 'system', from: 1, to: 2 }],
      ['rule: must have exactly one of "is" or "in"', { field: 'system' }],
      ['rule: must have exactly one of "is" or "in"', { field: 'system', is: 'a', in: ['b'] }],
      [
        'rule: must have exactly one of "is" or "in" or "from" or "to"',
        { field: 'year', is: 1, to: 2 },
      ],
      ['rule: "in" must be an array', { field: 'system', in: 'games' }],
      ['rule: system must be a text', { field: 'system', is: 1 }],
      ['rule: system must be a text', { field: 'system', in: ['games', null] }],
      ['rule: genre must not be empty', { field: 'genre', contains: ' ' }],
      ['rule: search must not be empty', { field: 'search', contains: '\u0301' }],
      ['rule: search must be at most 16 words', { field: 'search', contains: 'a '.repeat(17) }],
      ['rule: genre must be at most 1000 characters, without NUL', { field: 'genre', is: 'x\0' }],
      [
        'rule: genre must be at most 1000 characters, without NUL',
        { field: 'genre', is: 'x'.repeat(1001) },
      ],
      [
        'rule: language must be a language code such as En or Pt-BR',
        { field: 'language', is: 'e' },
      ],
      ['rule: library must be have or missing or verified', { field: 'library', is: 'owned' }],
      ['rule: cover must be have or missing', { field: 'cover', in: ['have', 'verified'] }],
      ['rule: cover must be have or missing', { field: 'cover', is: true }],
      ['rule: cover takes "is" or "in", not "contains"', { field: 'cover', contains: 'have' }],
      ['rule: year must be a whole number from 0 to 9999', { field: 'year', is: '1995' }],
      ['rule: year must be a whole number from 0 to 9999', { field: 'year', from: 1.5 }],
      ['rule: year must be a whole number from 0 to 9999', { field: 'year', to: 10_000 }],
      ['rule: added_days must be a whole number from 0 to 36500', { field: 'added_days', to: -1 }],
      ['rule: release_ids must be an id', { field: 'release_ids', in: [1, 0] }],
      ['rule: release_ids must be an id', { field: 'release_ids', in: [2 ** 53] }],
      ['rule: set must be an id', { field: 'set', is: 'mine' }],
    ])('states the reason: %s', (message, rule) => {
      expect(problemOf(rule)).toBe(message);
    });

    function inThird(condition: unknown) {
      return { all: [{ not: { any: [psp, psp, condition] } }] };
    }
  });

  describe('the limits of a rule', () => {
    test('allow 50,000 characters in all texts together', () => {
      const texts = (count: number) => ({
        field: 'genre',
        in: Array(count).fill('x'.repeat(1_000)),
      });
      expect(problemOf(texts(50))).toBe('');
      expect(problemOf(texts(51))).toBe('rule: a rule has at most 50000 characters');
    });

    test('allow 6 groups around a condition', () => {
      expect(problemOf(nested(ruleLimits.depth))).toBe('');
      const path = `rule${'.all[0]'.repeat(6)}`;
      expect(problemOf(nested(7))).toBe(`${path}: must be at most 6 groups deep`);
      expect(problemOf(nested(6, { all: [] }))).toBe(`${path}: must be at most 6 groups deep`);
    });

    test('allow 200 conditions and 200 groups', () => {
      const many = (length: number, part: unknown) => ({ any: Array.from({ length }, () => part) });
      expect(problemOf(many(200, psp))).toBe('');
      expect(problemOf(many(201, psp))).toBe('rule.any[200]: a rule has at most 200 conditions');
      expect(problemOf(many(199, { all: [] }))).toBe('');
      expect(problemOf(many(200, { all: [] }))).toBe(
        'rule.any[199]: a rule has at most 200 groups',
      );
    });

    test('allow 10,000 ids and 1,000 other values in all conditions together', () => {
      const ids = (length: number) => ({ field: 'release_ids', in: Array(length).fill(1) });
      expect(problemOf(ids(10_000))).toBe('');
      expect(problemOf(ids(10_001))).toBe('rule: a rule has at most 10000 ids');
      const both = { all: [ids(6_000), ids(6_000)] };
      expect(problemOf(both)).toBe('rule.all[1]: a rule has at most 10000 ids');
      const genres = { field: 'genre', in: Array(1_001).fill('x') };
      expect(problemOf(genres)).toBe('rule: a rule has at most 1000 values');
    });

    test('allow 10 conditions on covers', () => {
      const cover = { not: { field: 'cover', is: 'have' } };
      expect(problemOf({ all: Array(10).fill(cover) })).toBe('');
      expect(problemOf({ all: Array(11).fill(cover) })).toBe(
        'rule.all[10].not: a rule has at most 10 conditions on cover',
      );
    });

    test('end the reading of a hostile rule early', () => {
      const wide = { any: Array.from({ length: 100_000 }, () => ({ any: [] })) };
      expect(problemOf(wide)).toBe('rule.any[199]: a rule has at most 200 groups');
      expect(problemOf(nested(50_000))).toContain('must be at most 6 groups deep');
      const message = problemOf({ field: 'x'.repeat(1_000_000), is: 1 });
      expect(message).toBe(`rule: there is no field "${'x'.repeat(50)}"`);
    });
  });

  test('accepts any JSON or refuses it as unprocessable, and accepts its own results', async () => {
    const key = fc.constantFrom(
      ...['all', 'any', 'not', 'field', 'is', 'in', 'contains', 'from', 'to'],
      ...['__proto__', 'constructor', 'toString', 'x'],
    );
    const leaf = fc.oneof(
      fc.constantFrom(
        'platform',
        'year',
        'set',
        'library',
        'have',
        'search',
        '__proto__',
        '',
        'En',
      ),
      fc.integer({ min: -2, max: 12_000 }),
      fc.constantFrom(null, true, 1.5, 1e300),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((pairs) => {
          const texts = pairs.map(
            ([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`,
          );
          return JSON.parse(`{${texts.join(',')}}`);
        }),
      ),
    }));
    await fc.assert(
      fc.property(value, (given) => {
        const problem = problemOf(given);
        if (problem !== '') {
          expect(problem).toMatch(/^rule[.\w[\]]*: /);
          return;
        }
        const read = readRule(given);
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        expect(readRule(JSON.parse(JSON.stringify(read)))).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
  });
});
