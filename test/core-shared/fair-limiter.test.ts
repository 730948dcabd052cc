import { expect, test } from 'vitest';
import { FairLimiter } from '../../src/core/shared/fair-limiter.ts';

/** Work that ends when it is told to. */
function heldWork() {
  let end: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { held, end };
}

test('places go to the owners by turns, and no more than there are are taken', async () => {
  const limiter = new FairLimiter(2, { most: 100, mostOfOne: 100 });
  const first = heldWork();
  const order: string[] = [];
  let most = 0;
  let running = 0;
  const run = (owner: string, name: string) =>
    limiter.run(owner, async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(name);
      await first.held;
      running -= 1;
    });
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map((name) => run(name.charAt(0), name));
  expect(order).toEqual(['a1', 'a2']);
  first.end();
  await Promise.all(all);
  expect(order).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'a5']);
  expect(most).toBe(2);
});

test('what fails gives its place back', async () => {
  const limiter = new FairLimiter(1, { most: 10, mostOfOne: 10 });
  const failing = limiter.run('a', () => Promise.reject(new Error('no')));
  const next = limiter.run('b', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('too much of one owner is refused as busy, and others still wait', async () => {
  const limiter = new FairLimiter(1, { most: 3, mostOfOne: 2 });
  const first = heldWork();
  const run = (owner: string) => limiter.run(owner, () => first.held);
  const accepted = [run('a'), run('a'), run('a')];
  await expect(run('a')).rejects.toMatchObject({ kind: 'busy', retryAfter: 1 });
  accepted.push(run('b'));
  await expect(run('c')).rejects.toMatchObject({ kind: 'busy' });
  first.end();
  await Promise.all(accepted);
});
