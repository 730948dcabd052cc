import { describe, expect, test } from 'vitest';
import { decide, rulesOf } from '../../../src/core/library/alike-choices.ts';
import type { DistinguishedRelease } from '../../../src/core/library/shown-files.ts';

let ids = 0;
function release(name: string, more: Partial<DistinguishedRelease> = {}): DistinguishedRelease {
  ids += 1;
  return { id: ids, name, platform: 'Console', region: '', serial: '', ...more };
}
const europe = release('A (Europe)', { region: 'Europe' });
const usa = release('A (USA)', { region: 'USA' });
const [plain, rev1, rev2] = [release('A'), release('A (Rev 1)'), release('A (Rev 2)')];
const names = (rules: readonly { rule: string; value: string }[]) =>
  rules.map(({ rule, value }) => [rule, value].join(' ').trim());

describe('a choice between similar releases', () => {
  test('is described by the rules that hold for the chosen release alone', () => {
    expect(names(rulesOf(europe, [usa]))).toEqual(['region Europe']);
    const other = { ...europe, id: 99, platform: 'Other' };
    expect(names(rulesOf(europe, [other]))).toEqual(['platform Console']);
    expect(names(rulesOf(rev2, [plain, rev1]))).toEqual(['newest']);
    expect(names(rulesOf(plain, [rev1, rev2]))).toEqual(['first']);
    expect(rulesOf(rev1, [plain, rev2])).toEqual([]);
    expect(rulesOf(europe, [{ ...europe, id: 98 }])).toEqual([]);
    expect(rulesOf(europe, [])).toEqual([]);
  });

  test('is decided by a rule only if exactly one release meets it', () => {
    const region = { rule: 'region', value: 'Europe' } as const;
    expect(decide(region, [usa, europe])).toBe(europe);
    expect(decide(region, [usa, europe, { ...europe, id: 97 }])).toBeNull();
    expect(decide(region, [usa, release('A (Japan)', { region: 'Japan' })])).toBeNull();
    expect(decide(region, [europe])).toBeNull();
    expect(decide({ rule: 'region', value: '' }, [plain, usa])).toBeNull();
  });

  test('takes the newest revision only among releases that are otherwise the same', () => {
    const newest = { rule: 'newest', value: '' } as const;
    const of = (...some: string[]) =>
      decide(
        newest,
        some.map((name) => release(name)),
      )?.name ?? null;
    expect(of('A (Rev 2)', 'A (Rev 10)')).toBe('A (Rev 10)');
    expect(of('A (Rev A)', 'A (Rev C)', 'A (Rev B)')).toBe('A (Rev C)');
    expect(of('A (v1.02)', 'A (v1.1)', 'A')).toBe('A (v1.02)');
    expect(of('A (USA) (Rev 1)', 'A (USA)')).toBe('A (USA) (Rev 1)');
    expect(of('A (Rev 1)', 'A (v1.02)')).toBeNull();
    expect(of('A (Rev 1)', 'A (Rev 1)')).toBeNull();
    expect(of('A (USA) (Rev 1)', 'A (Europe)')).toBeNull();
    expect(of('A', 'B')).toBeNull();
    expect(decide(newest, [plain, { ...rev1, platform: 'Other' }])).toBeNull();
  });
});
