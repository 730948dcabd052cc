import { describe, expect, test } from 'vitest';
import { readPreference, toPreferenceRecord } from '../../src/core/sets/preference.ts';
import { CatalogError } from '../../src/core/shared/errors.ts';

/** Returns the message with which a preference is refused; "" if it is accepted. */
function problemOf(value: unknown): string {
  try {
    readPreference(value);
    return '';
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind !== 'unprocessable') throw error;
    return error.message;
  }
}

const whole = {
  one_per_game: false,
  regions: ['Europe', 'World'],
  languages: ['En', 'Pt-BR'],
  revision: 'oldest',
  avoid: ['Demo', 'Virtual Console'],
  among: 'library',
};

describe('readPreference', () => {
  test('returns a preference as it was sent, with defaults and without blanks around texts', () => {
    expect(toPreferenceRecord(readPreference(whole))).toEqual(whole);
    expect(toPreferenceRecord(readPreference({ regions: [' Europe '] }))).toEqual({
      one_per_game: true,
      regions: ['Europe'],
      languages: [],
      revision: 'newest',
      avoid: [],
      among: 'catalogue',
    });
    expect([readPreference(null), readPreference(undefined)]).toEqual([null, null]);
    expect(toPreferenceRecord(null)).toBeNull();
  });

  test.each<[string, unknown]>([
    ['prefer: must be an object or null', 'Europe'],
    ['prefer: must be an object or null', []],
    ['prefer: there is no key "region"', { region: 'Europe' }],
    ['prefer: there is no key "__proto__"', JSON.parse('{"__proto__": 1}')],
    ['prefer: there is no key "a?b"', { 'a\nb': 1 }],
    ['prefer.one_per_game: must be true or false', { one_per_game: 1 }],
    ['prefer.one_per_game: must be true or false', { one_per_game: null }],
    ['prefer.regions: must be an array', { regions: 'Europe' }],
    ['prefer.regions[2]: must be a text', { regions: ['a', 'b', null] }],
    ['prefer.regions[1]: must not be empty', { regions: ['a', ' '] }],
    ['prefer.regions[1]: is listed twice', { regions: ['Europe', 'EUROPE'] }],
    ['prefer.regions[0]: must be at most 100 characters long', { regions: ['x'.repeat(101)] }],
    ['prefer.avoid: must have at most 100 values', { avoid: Array.from({ length: 101 }, String) }],
    [
      'prefer.languages[0]: must be a language code such as En or Pt-BR',
      { languages: ['English'] },
    ],
    ['prefer.revision: must be "newest" or "oldest"', { revision: 'best' }],
    ['prefer.among: must be "catalogue" or "library"', { among: ['library'] }],
  ])('refuses a preference with the reason: %s', (problem, value) => {
    expect(problemOf(value)).toBe(problem);
  });
});
