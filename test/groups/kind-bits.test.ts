import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KindBits, kindBitsOf, wantedTags } from '../../src/core/shared/names/kind-bits.ts';
import { kindTags } from '../../src/core/shared/names/name-labels.ts';

const real = join(import.meta.dirname, '../../../shared/data/dats/libretro-dats.tar.xz');
const skipReason = existsSync(real) ? '' : ` (skipped: no ${real})`;

describe('the reader of kinds', () => {
  test('assigns each kind the same bit as existing databases', () => {
    const stored = [
      ...['Demo', 'Beta', 'Proto', 'Sample', 'Kiosk', 'Unl', 'Aftermarket', 'Pirate', 'Hack'],
      ...['Cheat', 'Alt', 'Promo', 'Debug', 'Program', 'Bad', 'BIOS', 'Translation'],
    ];
    expect(kindTags.slice(0, stored.length)).toEqual(stored);
    for (const [place, kind] of stored.entries()) {
      expect(wantedTags([` ${kind.toUpperCase()} `])).toEqual({ bits: 2 ** place, labels: [] });
    }
    // A bit operation of JavaScript has 32 bits with a sign.
    expect(kindTags.length).toBeLessThan(31);
  });

  test('finds all kinds that a name states', () => {
    expect(kindBitsOf('Game (USA)')).toBe(0);
    expect(kindBitsOf('Game (USA) (Kiosk Demo)')).toBe(kindBitsOf('Game (Demo)'));
    expect(kindBitsOf('Game (Kiosk) (Demo 2) [b]')).toBe(wantedTags(['kiosk', 'demo', 'bad']).bits);
  });

  test('treats other tags as labels in parentheses or brackets', () => {
    expect(wantedTags(['Virtual Console', 'demo', 'VIRTUAL console'])).toEqual({
      bits: kindBitsOf('A (Demo)'),
      labels: ['(virtual console)', '[virtual console]'],
    });
  });

  test.skipIf(skipReason !== '')(
    `gives all names of real DATs the same bits with and without its cache${skipReason}`,
    { tags: ['full'] },
    () => {
      const options = { maxBuffer: 2 ** 29, encoding: 'utf8' } as const;
      const text = execFileSync('tar', ['-xJOf', real], options);
      const names = [...text.matchAll(/^game \(\n\tname "(.*)"$/gm)].map(([, name]) => name ?? '');
      expect(names.length).toBeGreaterThan(100_000);
      const kinds = new KindBits();
      const odd = names.filter((name) => kinds.of(name) !== kindBitsOf(name));
      expect(odd).toEqual([]);
      expect(names.filter((name) => kinds.of(name) !== 0).length).toBeGreaterThan(10_000);
    },
  );
});
