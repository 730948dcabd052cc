import { describe, expect, test } from 'vitest';
import type { MatchReason } from '../src/api/library.ts';
import { de } from '../src/language/de.ts';
import { en } from '../src/language/en.ts';
import { areAllRuledOut, reasonTexts } from '../src/library/reason-texts.ts';

const ids = new Map<string, number>();
function reason(rule: MatchReason['rule'], name: string, held = true): MatchReason {
  const id = ids.get(name) ?? ids.size + 1;
  ids.set(name, id);
  return { rule, release: { id, name }, held };
}

describe('the text of a match', () => {
  test('describes each rule in one sentence, in the order of the rules', () => {
    const why = [
      reason('serial', 'A'),
      reason('serial', 'B'),
      reason('serial', 'C'),
      reason('version', 'A'),
      reason('version', 'B'),
      reason('version', 'C', false),
      reason('tracks', 'A'),
      reason('tracks', 'B', false),
    ];
    expect(reasonTexts(why, en, 'en')).toEqual([
      'The serial matches A, B, and C.',
      'The version on the disc fits A and B, not C.',
      'The number of matching tracks fits A, not B.',
    ]);
    expect(reasonTexts(why, de, 'de')).toEqual([
      'Die Seriennummer passt zu A, B und C.',
      'Die Version auf der Disc passt zu A und B, nicht zu C.',
      'Die Zahl der passenden Tracks passt zu A, nicht zu B.',
    ]);
    expect(areAllRuledOut(why)).toBe(false);
  });

  test('names at most three releases, and counts the others', () => {
    const why = ['A', 'B', 'C', 'D', 'E'].map((name) => reason('name', name));
    expect(reasonTexts(why, en, 'en')).toEqual(['The file name matches A, B, C, and 2 others.']);
    expect(reasonTexts(why.slice(0, 4), de, 'de')).toEqual([
      'Der Dateiname passt zu A, B, C und 1 weiteren.',
    ]);
  });

  test('says which of equal releases is taken, and that all are ruled out', () => {
    const same = [reason('same-content', 'A'), reason('same-content', 'B', false)];
    expect(reasonTexts(same, en, 'en')).toEqual([
      'The content is also that of B. The first release in the catalogue is used: A.',
    ]);
    const none = [reason('serial', 'A'), reason('disc', 'A', false)];
    expect(reasonTexts(none, en, 'en')).toEqual([
      'The serial matches A.',
      'The disc number rules out A.',
    ]);
    expect(areAllRuledOut(none)).toBe(true);
    expect(areAllRuledOut([])).toBe(false);
  });
});
