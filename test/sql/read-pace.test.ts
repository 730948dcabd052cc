import { describe, expect, test } from 'vitest';
import { ReadPace } from '../../src/sql/sqlite/read-pace.ts';

const times = (count: number, run: () => void) => {
  for (let index = 0; index < count; index += 1) run();
};

describe('reads on the thread of the server', () => {
  test('are begun with, and gone on with while 95 of 100 take at most 5 ms', () => {
    const pace = new ReadPace();
    for (let turn = 0; turn < 50; turn += 1) {
      times(5, () => pace.noteDirect(24.9));
      times(95, () => pace.noteDirect(5));
    }
    expect(pace.isDirect).toBe(true);
    times(6, () => pace.noteDirect(5.1));
    expect(pace.isDirect).toBe(false);
  });

  test('end with one that takes 25 ms', () => {
    const pace = new ReadPace();
    pace.noteDirect(25);
    expect(pace.isDirect).toBe(false);
  });

  test('return after a hundred in a row that take less than 1 ms elsewhere, and start anew', () => {
    const pace = new ReadPace();
    times(6, () => pace.noteDirect(6));
    times(99, () => pace.noteThreaded(0.9));
    pace.noteThreaded(1);
    times(99, () => pace.noteThreaded(0.9));
    expect(pace.isDirect).toBe(false);
    pace.noteThreaded(0.9);
    expect(pace.isDirect).toBe(true);
    times(5, () => pace.noteDirect(6));
    expect(pace.isDirect).toBe(true);
    pace.noteDirect(6);
    expect(pace.isDirect).toBe(false);
  });
});
