import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { StopSignal } from '../../src/cli/stop-signal.ts';

describe('the reader of signals', () => {
  test('counts signals within half a second as one, and reports a later second signal', () => {
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
