import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StopSignal } from '../../src/cli/stop-signal.ts';

describe('the reader of signals', () => {
  test('treats signals within half a second as one, and a later one as a request to stop now', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const others = process.listeners('SIGTERM');
    const seconds: string[] = [];
    const stop = new StopSignal((signal) => seconds.push(signal));
    onTestFinished(() => stop.release());
    const [send] = process.listeners('SIGTERM').filter((each) => !others.includes(each));
    send?.('SIGTERM');
    vi.advanceTimersByTime(500);
    send?.('SIGINT');
    expect([stop.received, seconds]).toEqual(['SIGTERM', []]);
    vi.advanceTimersByTime(1);
    send?.('SIGINT');
    expect(seconds).toEqual(['SIGINT']);
  });
});
