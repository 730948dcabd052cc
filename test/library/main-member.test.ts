import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { belongToOneDisc } from '../../src/core/library/main-member.ts';

/**
 * Matches the rest of a name from its track number. The expression is simple but slow for long
 * names.
 */
const track = /[\s_]*\(?track[\s_]*\d+\)?.*$/i;

describe('the choice of a main member', () => {
  test('treats an archive as one disc if its image names differ only in the track', () => {
    const pieces = [
      'A game',
      'b',
      'track',
      'Track',
      '(',
      ')',
      ' ',
      '_',
      '\t',
      '-',
      '1',
      '02',
      '.bin',
    ];
    const name = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''));
    // names that often differ only in their last characters
    const names = fc.oneof(
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.tuple(name, name, name).map(([start, one, other]) => [start + one, start + other]),
    );
    fc.assert(
      fc.property(names, (all) => {
        const titles = new Set(all.map((each) => each.replace(track, '')));
        expect(belongToOneDisc(all.map((each) => ({ name: each, size: 1 })))).toBe(
          titles.size === 1,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});
