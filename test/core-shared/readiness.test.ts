import { describe, expect, test } from 'vitest';
import { Readiness } from '../../src/core/stats/readiness.ts';

function useReadiness() {
  const state = {
    now: 0,
    tries: 0,
    failing: new Map<string, Error>(),
    changes: [] as string[][],
    whenChecked: Promise.resolve(),
  };
  const check = (part: string) => async () => {
    await state.whenChecked;
    const failure = state.failing.get(part);
    if (failure !== undefined) throw failure;
  };
  const readiness = new Readiness({
    checks: {
      async database() {
        state.tries += 1;
        await check('database')();
      },
      schema: check('schema'),
      files: check('files'),
      tmp: check('tmp'),
    },
    clock: { monotonic: () => state.now },
    onChange: (notReady) =>
      state.changes.push([...notReady].map(([part, why]) => `${part} ${why}`)),
  });
  return { readiness, state };
}

describe('the check of readiness', () => {
  test('checks at most once a second for all callers, and one at a time', async () => {
    const { readiness, state } = useReadiness();
    await Promise.all([readiness.findNotReady(), readiness.findNotReady()]);
    state.now = 999;
    state.failing.set('database', new Error('no space'));
    expect(await readiness.findNotReady()).toEqual([]);
    expect(state.tries).toBe(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.whenChecked = promise;
    state.now = 1_000;
    const slow = readiness.findNotReady();
    state.now = 9_000;
    const shared = readiness.findNotReady();
    resolve();
    expect(await Promise.all([slow, shared])).toEqual([['database'], ['database']]);
    expect(state.tries).toBe(2);
    await readiness.findNotReady();
    expect(state.tries).toBe(3);
  });

  test('names every part that is not ready, and reports each change once', async () => {
    const { readiness, state } = useReadiness();
    expect(await readiness.findNotReady()).toEqual([]);
    state.failing.set('tmp', new Error('full'));
    state.failing.set('files', new Error('gone'));
    state.now = 1_000;
    expect(await readiness.findNotReady()).toEqual(['files', 'tmp']);
    state.now = 2_000;
    expect(await readiness.findNotReady()).toEqual(['files', 'tmp']);
    state.failing.delete('files');
    state.now = 3_000;
    expect(await readiness.findNotReady()).toEqual(['tmp']);
    state.failing.clear();
    state.now = 4_000;
    expect(await readiness.findNotReady()).toEqual([]);
    const failures = [['files Error: gone', 'tmp Error: full'], ['tmp Error: full'], []];
    expect(state.changes).toEqual(failures);
  });
});
