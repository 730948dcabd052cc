import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StallDetector } from '../../src/core/shared/processes/stall-detector.ts';

describe('the stall detector', () => {
  test('reports a stall of more than 10 s once, with its length', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let ms = 0;
    const stalls: number[] = [];
    const detector = new StallDetector({
      elapsed: () => ms,
      onStall: (length) => stalls.push(length),
    });
    detector.begin();
    const tick = (after: number) => {
      ms += after;
      vi.advanceTimersByTime(1_000);
    };
    for (const after of [1_000, 11_000, 1_000]) tick(after); // 10 s are not too long
    expect(stalls).toEqual([]);
    tick(13_500);
    tick(1_000);
    expect(stalls).toEqual([12_500]);
    detector.end();
    tick(60_000);
    expect(stalls).toEqual([12_500]);
  });
});
