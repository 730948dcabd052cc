import { describe, expect, test } from 'vitest';
import type { Job } from '../src/api/jobs.ts';
import { Pace } from '../src/jobs/pace.ts';

const at = (done: number, phase = 'import') =>
  ({ id: 1, progress: { phase, done, total: 1000, unit: 'bytes', name: '' } }) as Job;

describe('the pace of a job', () => {
  test('measures the last minute of a phase, so that one slow file does not decide', () => {
    const pace = new Pace();
    pace.record(at(0, 'download'), 0);
    pace.record(at(900, 'download'), 1000);
    pace.record(at(0), 2000);
    expect(pace.of(at(0))).toBeNull();
    for (let second = 1; second <= 40; second += 1) pace.record(at(100), 2000 + second * 1000);
    expect(pace.of(at(100))).toEqual({ rate: 2.5, left: 360 });
    pace.record(at(700), 63_000); // the file at 2 s is out of the window
    expect(pace.of(at(700))).toEqual({ rate: 10, left: 30 });
  });
});
