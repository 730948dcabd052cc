import { describe, expect, test } from 'vitest';
import type { User } from '../src/api/model.ts';
import type { SavedSet } from '../src/api/sets.ts';
import { RemoteValue } from '../src/parts/remote-value.svelte.ts';
import { SavedSets } from '../src/sets/saved-sets.ts';

/** Returns a function that reads, and the answers that its calls wait for. */
function askedOf<T>() {
  const answers: PromiseWithResolvers<T>[] = [];
  const read = () => {
    const answer = Promise.withResolvers<T>();
    answers.push(answer);
    return answer.promise;
  };
  return { read, answers };
}

describe('a remote value', () => {
  test('tells which of two reads was the newest', async () => {
    const { read, answers } = askedOf<string>();
    const value = new RemoteValue(read);
    const [older, newer] = [value.load(), value.load()];
    answers[1]?.resolve('new');
    answers[0]?.resolve('old');
    expect([await older, await newer]).toEqual([false, true]);
    expect(value.value).toBe('new');
  });

  test('has no read that is the newest after it is closed', async () => {
    const { read, answers } = askedOf<string>();
    const value = new RemoteValue(read);
    const reading = value.load();
    value.close();
    answers[0]?.reject(new Error('aborted'));
    expect(await reading).toBe(false);
    expect(value).toMatchObject({ value: null, failure: null, isLoading: false });
  });
});

describe('the saved sets', () => {
  const user = (id: number) => ({ user: { id } as User });
  const set = (name: string) => ({ name }) as SavedSet;

  test('forget those of another user before the new ones arrive', async () => {
    const { read, answers } = askedOf<readonly SavedSet[]>();
    const sets = new SavedSets(read);
    const first = sets.loadFor(user(1));
    answers[0]?.resolve([set('private')]);
    await first;
    const again = sets.loadFor(user(1));
    expect(sets.value).toEqual([set('private')]);
    const other = sets.loadFor(user(2));
    expect(sets.value).toBeNull();
    answers[1]?.resolve([set('private')]);
    answers[2]?.resolve([set('other')]);
    expect([await again, await other]).toEqual([false, true]);
    expect(sets.value).toEqual([set('other')]);
  });
});
