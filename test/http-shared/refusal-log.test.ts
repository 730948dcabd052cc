import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RefusalLog } from '../../src/http/shared/server/refusal-log.ts';
import { createLog } from '../../src/program/log.ts';

const lines: Record<string, unknown>[] = [];
const refusals = new RefusalLog(createLog('info', (line) => void lines.push(JSON.parse(line))));
const counts = () => lines.map(({ count }) => count);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('the log of refused requests', () => {
  test('writes one line with a count for each minute with refused requests', () => {
    for (let turn = 0; turn < 500; turn += 1) refusals.record('192.0.2.1');
    refusals.record('192.0.2.2');
    vi.advanceTimersByTime(59_999);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(lines).toMatchObject([{ count: 501, address: '192.0.2.2', level: 30 }]);
    vi.advanceTimersByTime(600_000);
    refusals.record('192.0.2.1');
    vi.advanceTimersByTime(60_000);
    expect(counts()).toEqual([501, 1]);
    refusals.record(undefined);
    refusals.flush();
    refusals.flush();
    vi.advanceTimersByTime(60_000);
    expect(counts()).toEqual([501, 1, 1]);
  });
});
