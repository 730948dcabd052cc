import { describe, expect, test } from 'vitest';
import { openWithRollback, ResourceStack } from '../../src/wire/resource-stack.ts';

describe('the resource stack', () => {
  test('closes each part once, the last one first, even if one fails to close', async () => {
    const parts = new ResourceStack();
    const closed: string[] = [];
    const close = async (name: string) => {
      await Promise.resolve();
      closed.push(name);
      if (name === 'second') throw new Error('it does not close');
    };
    for (const name of ['first', 'second', 'third']) expect(parts.track(name, close)).toBe(name);
    const closing = [parts.close(), parts.close()];
    for (const one of closing) await expect(one).rejects.toThrow('it does not close');
    expect(closed).toEqual(['third', 'second', 'first']);
  });

  test('closes the parts opened before a failure, and throws the original error', async () => {
    const closed: string[] = [];
    const opening = openWithRollback(async (parts) => {
      for (const name of ['first', 'second']) {
        parts.track(name, (it) => {
          closed.push(it);
          if (it === 'second') throw new Error('it does not close');
        });
      }
      throw new Error('it does not open');
    });
    await expect(opening).rejects.toThrow('it does not open');
    expect(closed).toEqual(['second', 'first']);
  });
});
