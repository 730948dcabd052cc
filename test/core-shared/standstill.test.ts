import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Standstill } from '../../src/core/shared/processes/standstill.ts';

describe('the watch for standstills', () => {
  test('reports a standstill of more than 10 s once, with its length', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let ms = 0;
    const returns: number[] = [];
    const standstill = new Standstill({
      elapsed: () => ms,
      onReturn: (length) => returns.push(length),
    });
    standstill.begin();
    const tick = (after: number) => {
      ms += after;
      vi.advanceTimersByTime(1_000);
    };
    for (const after of [1_000, 11_000, 1_000]) tick(after); // 10 s are not too long
    expect(returns).toEqual([]);
    tick(13_500);
    tick(1_000);
    expect(returns).toEqual([12_500]);
    standstill.end();
    tick(60_000);
    expect(returns).toEqual([12_500]);
  });
});
