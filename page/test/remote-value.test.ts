import { describe, expect, test } from 'vitest';
import type { User } from '../src/api/model.ts';
import type { SavedSet } from '../src/api/sets.ts';
import { RemoteValue } from '../src/parts/remote-value.svelte.ts';
import { SavedSets } from '../src/sets/saved-sets.ts';

/** Returns a function that reads, and the responses that its calls wait for. */
function readsOf<T>() {
  const responses: PromiseWithResolvers<T>[] = [];
  const read = () => {
    const response = Promise.withResolvers<T>();
    responses.push(response);
    return response.promise;
  };
  return { read, responses };
}

describe('a remote value', () => {
  test('reports which of two reads was the newest', async () => {
    const { read, responses } = readsOf<string>();
    const value = new RemoteValue(read);
    const [older, newer] = [value.load(), value.load()];
    responses[1]?.resolve('new');
    responses[0]?.resolve('old');
    expect([await older, await newer]).toEqual([false, true]);
    expect(value.value).toBe('new');
  });

  test('has no read that is the newest after it is closed', async () => {
    const { read, responses } = readsOf<string>();
    const value = new RemoteValue(read);
    const reading = value.load();
    value.close();
    responses[0]?.reject(new Error('aborted'));
    expect(await reading).toBe(false);
    expect(value).toMatchObject({ value: null, failure: null, isLoading: false });
  });
});

describe('the saved sets', () => {
  const user = (id: number) => ({ user: { id } as User });
  const set = (name: string) => ({ name }) as SavedSet;

  test('forget those of another user before the new ones arrive', async () => {
    const { read, responses } = readsOf<readonly SavedSet[]>();
    const sets = new SavedSets(read);
    const first = sets.loadFor(user(1));
    responses[0]?.resolve([set('private')]);
    await first;
    const again = sets.loadFor(user(1));
    expect(sets.value).toEqual([set('private')]);
    const other = sets.loadFor(user(2));
    expect(sets.value).toBeNull();
    responses[1]?.resolve([set('private')]);
    responses[2]?.resolve([set('other')]);
    expect([await again, await other]).toEqual([false, true]);
    expect(sets.value).toEqual([set('other')]);
  });
});
