import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReleaseName, titleOf } from '../../src/core/shared/names/release-name.ts';

const plain = {
  regions: [],
  languages: [],
  revision: '',
  disc: null,
  discTitle: '',
  kinds: [],
  labels: [],
};

describe('the parser of release names', () => {
  test.each([
    [
      'Foo - The Game (USA, Europe) (En,Fr,De) (Rev 1)',
      {
        title: 'Foo - The Game',
        regions: ['USA', 'Europe'],
        languages: ['En', 'Fr', 'De'],
        revision: 'Rev 1',
      },
    ],
    [
      'Foo (Japan) (Disc 2) (Shokai Genteiban) (Rev A)',
      {
        title: 'Foo',
        regions: ['Japan'],
        disc: { number: 2, side: '' },
        discTitle: 'Shokai Genteiban',
        revision: 'Rev A',
        labels: ['Shokai Genteiban'],
      },
    ],
    [
      'Foo (World) (v1.02) (Rev 2) (Beta 2) (2001-02-03)',
      {
        title: 'Foo',
        regions: ['World'],
        revision: 'Rev 2',
        kinds: ['Beta'],
        labels: ['Beta 2', '2001-02-03'],
      },
    ],
    [
      'Foo (USA) (Zh-Hans,Pt-BR)',
      { title: 'Foo', regions: ['USA'], languages: ['Zh-Hans', 'Pt-BR'] },
    ],
    [
      'Foo v1.1 (1990)(Maker)(US-EU)(en-fr)(Disk 1 of 2 Side B)[b2][h Name]',
      {
        title: 'Foo v1.1',
        revision: 'v1.1',
        regions: ['USA', 'Europe'],
        languages: ['En', 'Fr'],
        disc: { number: 1, side: 'B' },
        kinds: ['Bad', 'Hack'],
        labels: ['1990', 'Maker', 'b2', 'h Name'],
      },
    ],
    [
      '[BIOS] Foo (Japan) (Wi-Fi Kiosk) (Unl) (Side A)',
      {
        title: '[BIOS] Foo',
        regions: ['Japan'],
        disc: { number: 0, side: 'A' },
        kinds: ['BIOS', 'Kiosk', 'Unl'],
        labels: ['BIOS', 'Wi-Fi Kiosk', 'Unl'],
      },
    ],
    ['Action Replay (Europe)', { title: 'Action Replay', regions: ['Europe'], kinds: ['Cheat'] }],
    [
      'Foo (A (B) C) (You, In) (P) (No, Sir)',
      { title: 'Foo', labels: ['A (B) C', 'You, In', 'P', 'No, Sir'] },
    ],
    ['(Only) [parts', { title: '(Only)' }],
    ['Foo (open (USA', { title: 'Foo' }],
    ['', { title: '' }],
  ])('parses %s', (name, parts) => {
    expect(parseReleaseName(name)).toEqual({ ...plain, ...parts });
  });

  test('parses a name of many parentheses in linear time', () => {
    const timeParsing = (name: string) => {
      const started = performance.now();
      parseReleaseName(name);
      return performance.now() - started;
    };
    for (const part of ['(', ' (', ')(', ' ((a', ' [b]', ' (Disc 1)', ' (v1.1)', '(En,', ' v1.1']) {
      timeParsing(part.repeat(1_000));
      expect(timeParsing(part.repeat(200_000 / part.length)), part).toBeLessThan(2_000);
    }
  });

  test('returns a title with which the name begins, and labels that the name contains', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...'aB1( )[],v', 'Rev ', '(USA)', '(Disc 1)'),
    });
    fc.assert(
      fc.property(texts, (name) => {
        const { title, labels } = parseReleaseName(name);
        expect(name.startsWith(title)).toBe(true);
        expect(title).toBe(titleOf(name));
        for (const label of labels) expect(name).toContain(label);
      }),
    );
  });
});
