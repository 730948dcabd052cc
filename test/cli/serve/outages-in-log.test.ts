import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { busy, insufficientStorage, stopping } from '../../../src/core/shared/errors.ts';
import { createLog } from '../../../src/program/log.ts';

let lines: Record<string, unknown>[];
const logAt = (level: string) => createLog(level, (line) => void lines.push(JSON.parse(line)));
const logged = () =>
  lines.map(({ level, msg, reason, failures }) => [level, msg, reason, failures]);

/** The failure of a request while the database server cannot be reached. */
const unreachable = () => {
  const cause = new Error('connect ECONNREFUSED 192.0.2.1:5432');
  return busy(
    new Error(cause.message, { cause }),
    'the database server does not respond',
    'database',
  );
};
const reason = 'the database server does not respond: connect ECONNREFUSED 192.0.2.1:5432';
const begins =
  'the database is unavailable: requests that need it get 503 until it responds, check the database';

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

describe('the log of outages', () => {
  test('has a line when an outage begins and ends, and one a minute with its failures', () => {
    const log = logAt('info').child({ reqId: 'req-1' });
    for (let second = 0; second < 70; second += 1) {
      for (let turn = 0; turn < 10; turn += 1) log.warn({ err: unreachable() }, 'busy');
      vi.advanceTimersByTime(1_000);
    }
    expect(logged()).toEqual([
      [40, begins, reason, undefined],
      [40, 'the database is still unavailable', reason, 600],
    ]);
    vi.advanceTimersByTime(600_000);
    expect(logged().slice(2)).toEqual([[30, 'the database is available again', undefined, 700]]);
    log.warn({ err: unreachable() }, 'busy');
    expect(logged().slice(3)).toEqual([[40, begins, reason, undefined]]);
  });

  test('distinguishes outages of database, object store and storage, and slow work', () => {
    const log = logAt('info').child({ reqId: 'req-1' });
    log.warn({ err: busy(undefined, 's3://x: NoSuchBucket', 'object store') }, 'busy');
    log.warn({ err: insufficientStorage(new Error('ENOSPC')) }, 'insufficient storage');
    log.warn({ err: busy(new Error('too many reads are waiting for the database')) }, 'busy');
    log.warn({ err: unreachable() }, 'busy');
    expect(lines.map(({ msg, reason }) => [msg, reason])).toEqual([
      [expect.stringMatching(/^the object store is .*, check the S3/), 's3://x: NoSuchBucket'],
      [expect.stringMatching(/^the storage is full: .*, free/), 'insufficient storage: ENOSPC'],
      [
        expect.stringMatching(/^some work takes too long: .*, check/),
        'busy: too many reads are waiting for the database',
      ],
      [begins, reason],
    ]);
  });

  test('reports failed background work once in an outage, and lost records each time', () => {
    const log = logAt('info');
    for (const count of [3, 4]) {
      log.warn({ err: unreachable() }, 'could not collect metrics');
      log.warn({ err: unreachable(), count }, 'lost records');
    }
    expect(lines.map(({ msg }) => msg)).toEqual([
      begins,
      'could not collect metrics',
      'lost records',
      'lost records',
    ]);
  });

  test('has the stack of an expected failure only at level debug, and of a bug always', () => {
    for (const level of ['info', 'debug']) {
      const log = logAt(level).child({ reqId: 'req-1' });
      log.warn({ err: unreachable() }, 'busy');
      log.warn({ err: stopping() }, 'server is stopping');
      log.warn({ err: Object.assign(new Error('EACCES: /x'), { code: 'EACCES' }) }, 'could not');
      log.warn({ err: new TypeError('x is undefined') }, 'could not');
      log.error({ err: new Error('unexpected') }, 'internal error');
    }
    const stacks = lines.map(({ msg, err }) => [msg, typeof (err as Error | undefined)?.stack]);
    expect(stacks).toEqual([
      [begins, 'undefined'],
      ['server is stopping', 'undefined'],
      ['could not', 'undefined'],
      ['could not', 'string'],
      ['internal error', 'string'],
      [begins, 'undefined'],
      ['busy', 'string'],
      ['server is stopping', 'string'],
      ['could not', 'string'],
      ['could not', 'string'],
      ['internal error', 'string'],
    ]);
  });
});
