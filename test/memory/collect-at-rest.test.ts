import { afterEach, beforeEach, describe, expect, type Mock, test, vi } from 'vitest';
import { collectAtRest } from '../../src/memory/collect-at-rest.ts';

/** Processor time that the process has used, in seconds, as the test sets it. */
let usedSeconds = 0;

beforeEach(() => {
  vi.useFakeTimers();
  usedSeconds = 100;
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({
    user: usedSeconds * 1_000_000,
    system: 0,
  }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets one interval pass, in which the process uses so much processor time. */
function passInterval(seconds: number): void {
  usedSeconds += seconds;
  vi.advanceTimersByTime(5_000);
}

/** Ends the interval in which the garbage of the start is collected. */
function passStart(collect: Mock): void {
  passInterval(0.5);
  collect.mockClear();
}

describe('collectAtRest', () => {
  test('collects the garbage of the start once, soon after it', () => {
    const collect = vi.fn();
    const end = collectAtRest(collect);
    expect(collect).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(collect).toHaveBeenCalledTimes(1);
    for (let count = 0; count < 5; count++) passInterval(0.05);
    expect(collect).toHaveBeenCalledTimes(1);
    end();
  });

  test('does nothing after its end', () => {
    const collect = vi.fn();
    collectAtRest(collect)();
    passInterval(4);
    passInterval(0);
    expect(collect).not.toHaveBeenCalled();
  });

  test('collects garbage once when the process is idle again after work', () => {
    const collect = vi.fn();
    const end = collectAtRest(collect);
    passStart(collect);
    passInterval(4);
    passInterval(3);
    expect(collect).not.toHaveBeenCalled();
    passInterval(0.05);
    expect(collect).toHaveBeenCalledTimes(1);
    passInterval(0.01);
    passInterval(0.01);
    expect(collect).toHaveBeenCalledTimes(1);
    passInterval(5);
    passInterval(0);
    expect(collect).toHaveBeenCalledTimes(2);
    end();
  });

  test('does not collect garbage after one second of work', () => {
    const collect = vi.fn();
    const end = collectAtRest(collect);
    passStart(collect);
    passInterval(1);
    passInterval(0);
    expect(collect).not.toHaveBeenCalled();
    end();
  });

  test('collects garbage after little work in each of many intervals', () => {
    const collect = vi.fn();
    const end = collectAtRest(collect);
    passStart(collect);
    for (let count = 0; count < 30; count++) passInterval(0.09);
    expect(collect).toHaveBeenCalledTimes(1);
    end();
  });
});
