import { describe, expect, test } from 'vitest';
import type { ReleaseItem } from '../src/api/model.ts';
import {
  hasFilters,
  isSameList,
  locationUrl,
  orderOf,
  parseLocation,
} from '../src/catalogue/catalogue-location.ts';
import { sleeveOf } from '../src/catalogue/covers/sleeve.ts';
import { gridShape } from '../src/catalogue/grid/grid-shape.ts';
import { letterAt, lettersOf } from '../src/catalogue/grid/letters.ts';
import { nextIndex } from '../src/catalogue/grid/next-index.ts';
import { shortPlatform, splitName } from '../src/catalogue/release-name.ts';
import { Selection } from '../src/catalogue/selection/selection.svelte.ts';

describe('the URL of a list', () => {
  test.each([
    '/releases',
    '/releases?search=ace+%26+%3Cb%3E',
    '/releases?platform=Sony+-+PlayStation&region=USA&order=newest&at=99',
    '/releases?library=verified&cover=missing&genre=Action%7CRacing&year=1996&publisher=A%7C%7CB',
  ])('keeps %s the same when it is parsed and written again', (address) => {
    expect(
      locationUrl(parseLocation(new URLSearchParams(address.slice('/releases?'.length)))),
    ).toBe(address);
  });

  test.each([
    ['', 'title'],
    ['search=+', 'title'],
    ['order=relevance', 'title'],
    ['order=name', 'title'],
    ['search=a', 'relevance'],
    ['search=a&order=title', 'title'],
    ['search=a&order=newest', 'newest'],
    ['search=a&order=name', 'relevance'],
  ])('%j sorts the list by %s', (query, order) => {
    expect(orderOf(parseLocation(new URLSearchParams(query)))).toBe(order);
  });

  test('ignores invalid parameters', () => {
    expect(locationUrl(parseLocation(new URLSearchParams('at=-5&order=up&x=1')))).toBe('/releases');
    expect(parseLocation(new URLSearchParams('at=1e99')).at).toBe(0);
  });

  test('treats URLs that differ only in position as the same list', () => {
    const [here, there] = ['at=5', 'at=9'].map((text) => parseLocation(new URLSearchParams(text)));
    expect(here && there && isSameList(here, there)).toBe(true);
    expect(here && hasFilters(here)).toBe(false);
  });
});

describe('the grid', () => {
  test.each([288, 328, 736, 1376, 3700])('fits columns into %i px without overflow', (width) => {
    const { columns, tileWidth, gap } = gridShape('covers', width, 16);
    expect(columns * tileWidth + (columns - 1) * gap).toBeLessThanOrEqual(width);
    expect(columns).toBeGreaterThan(1);
  });

  test('uses fewer columns and higher rows for larger text', () => {
    expect(gridShape('covers', 1376, 32).columns).toBeLessThan(
      gridShape('covers', 1376, 16).columns,
    );
    expect(gridShape('table', 1376, 32).rowHeight).toBe(80);
  });
});

describe('the letter index', () => {
  const letters = lettersOf([
    { initial: '(', offset: 0 },
    { initial: '3', offset: 4 },
    { initial: 'a', offset: 9 },
    { initial: 'c', offset: 20 },
    { initial: 'z', offset: 30 },
    { initial: 'Ø', offset: 31 },
    { initial: 'あ', offset: 33 },
  ]);
  const startOf = (letter: string) => letters.find((each) => each.letter === letter)?.start;

  test('groups initials before A under # and those after Z under …', () => {
    expect(letters).toHaveLength(28);
    expect(['#', 'A', 'B', 'C', 'Z', '…'].map(startOf)).toEqual([0, 9, null, 20, 30, 31]);
  });

  test('returns the letter at an index', () => {
    expect([0, 8, 9, 19, 20, 30, 99].map((index) => letterAt(letters, index))).toEqual([
      '#',
      '#',
      'A',
      'A',
      'C',
      'Z',
      '…',
    ]);
    expect(letterAt(lettersOf([]), 0)).toBeNull();
  });
});

describe('keys in the grid', () => {
  const around = { columns: 7, page: 3, total: 100 };
  test.each([
    ['ArrowRight', 10, 11],
    ['ArrowLeft', 10, 9],
    ['ArrowLeft', 0, 0],
    ['ArrowRight', 99, 99],
    ['ArrowUp', 10, 3],
    ['ArrowUp', 3, 3],
    ['ArrowDown', 10, 17],
    ['ArrowDown', 97, 99],
    ['PageDown', 10, 31],
    ['PageUp', 10, 0],
    ['Home', 55, 0],
    ['End', 55, 99],
    ['a', 10, null],
  ])('moves with %s from %i to %s', (key, index, next) => {
    expect(nextIndex(key, index, around)).toBe(next);
  });
});

describe('the selection', () => {
  const release = (id: number) => ({ id, name: `r${id}` }) as ReleaseItem;

  test('toggles a release and returns the range from the last one toggled', () => {
    const selection = new Selection();
    selection.toggle(release(5), 4);
    expect(selection.rangeTo(9)).toEqual({ first: 4, end: 10 });
    expect(selection.rangeTo(1)).toEqual({ first: 1, end: 5 });
    selection.toggle(release(5), 4);
    expect([selection.size, selection.isOn]).toEqual([0, true]);
    selection.clear();
    expect(selection.isOn).toBe(false);
  });

  test('holds at most 500 releases and reports that it is full', () => {
    const selection = new Selection();
    selection.addAll(Array.from({ length: 600 }, (_, id) => release(id)));
    expect([selection.size, selection.isFull]).toEqual([500, true]);
    selection.drop([1, 2]);
    expect([selection.size, selection.isFull]).toEqual([498, false]);
  });
});

describe('the names in the catalogue', () => {
  test.each([
    ['Ace Combat X - Skies of Deception (USA)', 'Ace Combat X - Skies of Deception', '(USA)'],
    ['Game (Europe) (Demo)', 'Game', '(Europe) (Demo)'],
    ['(500) Days of Summer', '(500) Days of Summer', ''],
    ['Plain', 'Plain', ''],
  ])('splits the name %s into title and rest', (name, main, rest) => {
    expect(splitName(name)).toEqual({ main, rest });
  });

  test('drops the maker from platform names and returns the case of each platform', () => {
    expect(shortPlatform('Sony - PlayStation Portable')).toBe('PlayStation Portable');
    expect(shortPlatform('MAME')).toBe('MAME');
    expect(shortPlatform('Nintendo - Nintendo 64')).toBe('Nintendo 64');
    expect(shortPlatform('Nintendo - Wii')).toBe('Wii');
    expect(shortPlatform('Commodore - 64')).toBe('Commodore 64');
    expect(shortPlatform('Atari - 2600')).toBe('Atari 2600');
    expect(shortPlatform('Atari - ST (Flux)')).toBe('Atari ST (Flux)');
    expect(sleeveOf('Sony - PlayStation', 'games')).toMatchObject({ ratio: 1, art: 'disc' });
    expect(sleeveOf('Sony - PlayStation 2', 'games').ratio).toBe(0.71);
    expect(sleeveOf('Sony - PlayStation Portable (UMD Video)', 'videos')).toMatchObject({
      ratio: 0.58,
      art: 'film',
    });
    expect(sleeveOf('Nintendo - Game Boy', 'games').art).toBe('cartridge');
  });

  test('gives each platform a hue, near that of its maker', () => {
    const hueOf = (platform: string) => sleeveOf(platform, 'games').hue;
    const hues = ['Sony - PlayStation', 'Sony - PlayStation 2', 'Sony - PlayStation 3'].map(hueOf);
    expect(new Set(hues).size).toBe(3);
    for (const hue of hues) expect(Math.abs(hue - 265)).toBeLessThanOrEqual(32);
    expect(hueOf('Bandai - Playdia')).toBe(hueOf('Bandai - Playdia'));
    expect(hueOf('Nintendo - Wii')).toBeGreaterThanOrEqual(0);
    expect(hueOf('Nintendo - Wii')).toBeLessThan(360);
  });
});
