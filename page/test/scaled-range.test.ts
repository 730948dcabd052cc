import { describe, expect, test } from 'vitest';
import { ScaledRange } from '../src/catalogue/grid/scaled-range.ts';

const range = (rows: number, rowHeight = 40, viewport = 900) => {
  const made = new ScaledRange();
  made.resize({ rows, rowHeight, viewport });
  return made;
};

describe('a short list', () => {
  test('is as high as its rows and scrolls one to one', () => {
    const short = range(100);
    expect(short.height).toBe(4000);
    short.scrolled(1000);
    expect([short.place, short.firstRow, short.topOf(25)]).toEqual([1000, 25, 1000]);
    short.scrolled(3100);
    expect(short.seen(0)).toEqual({ first: 77, end: 100 });
  });

  test('does not scroll when it is shorter than the window', () => {
    const tiny = range(3);
    tiny.scrolled(50);
    tiny.alignThumb();
    expect([tiny.top, tiny.place]).toEqual([0, 0]);
    expect(tiny.seen(2)).toEqual({ first: 0, end: 3 });
  });

  test('shows nothing when it is empty', () => {
    expect(range(0).seen(3)).toEqual({ first: 0, end: 0 });
  });
});

describe('a list of a million rows', () => {
  test('is at most 8,000,000 px high and can reach each row', () => {
    const long = range(1_000_000);
    expect(long.height).toBe(8_000_000);
    long.goToRow(999_999);
    expect(long.seen(0).end).toBe(1_000_000);
    expect(long.top).toBe(8_000_000 - 900);
    for (const row of [0, 1, 123_456, 700_000]) {
      long.goToRow(row);
      expect(long.firstRow).toBe(row);
      expect(long.topOf(row) - long.top).toBeCloseTo(0, 3);
    }
  });

  test.each([100, -100, 37])(
    'moves by exactly the wheel step of %s px, whether settled or not',
    (step) => {
      const long = range(1_000_000);
      long.goToRow(500_000);
      let expected = long.place;
      for (let notch = 0; notch < 3000; notch++) {
        long.scrolled(long.top + step);
        expected += step;
        if (notch % 7 === 0) long.alignThumb();
        expect(Math.abs(long.place - expected)).toBeLessThan(0.01);
      }
    },
  );

  test('keeps its first row when the browser rounds the scroll offset', () => {
    const long = range(166_667, 362);
    for (const row of [1, 83_333, 109_053, 150_001]) {
      for (const round of [Math.floor, Math.ceil]) {
        long.goToRow(row);
        long.scrolled(round(long.top));
        long.alignThumb();
        expect(long.firstRow).toBe(row);
      }
    }
  });

  test('does not jump when the scroll position settles', () => {
    const long = range(1_000_000);
    long.scrolled(4_000_000);
    for (let notch = 0; notch < 50; notch++) long.scrolled(long.top + 100);
    const before = long.topOf(long.firstRow) - long.top;
    const { place } = long;
    long.alignThumb();
    expect(long.place).toBeCloseTo(place, 3);
    expect(long.topOf(long.firstRow) - long.top).toBeCloseTo(before, 3);
  });

  test('jumps to the same share of the rows when the scrollbar is dragged', () => {
    const long = range(1_000_000);
    long.scrolled(4_000_000);
    expect(long.firstRow).toBeGreaterThan(499_000);
    expect(long.firstRow).toBeLessThan(501_000);
    long.scrolled(8_000_000);
    expect(long.seen(0).end).toBe(1_000_000);
    long.scrolled(0);
    expect(long.place).toBe(0);
  });

  test('reaches the first and the last row by continuous scrolling', () => {
    const long = range(1_000_000);
    long.goToRow(60);
    for (let steps = 0; long.place > 0.01 && steps < 100; steps++) long.scrolled(long.top - 100);
    expect(long.place + long.top).toBeLessThan(1);
    long.goToRow(999_000);
    for (let steps = 0; long.seen(0).end < 1_000_000 && steps < 1000; steps++)
      long.scrolled(long.top + 100);
    expect(long.seen(0).end).toBe(1_000_000);
  });
});

describe('the scroll position', () => {
  test('keeps the first row when the window or the rows change size', () => {
    const long = range(300_000, 360);
    long.goToRow(40_000);
    long.resize({ rows: 300_000, rowHeight: 240, viewport: 500 });
    expect(long.firstRow).toBe(40_000);
  });

  test('moves only as far as needed to reveal a row', () => {
    const short = range(1000);
    short.reveal(3);
    expect(short.place).toBe(0);
    short.reveal(30);
    expect(short.place).toBe(31 * 40 - 900);
    short.resize({ rows: 1000, rowHeight: 40, viewport: 900, covered: 56 });
    short.reveal(5);
    expect([short.place, short.firstRow]).toEqual([5 * 40 - 56, 5]);
    expect(short.seen(0).first).toBe(3);
  });
});
