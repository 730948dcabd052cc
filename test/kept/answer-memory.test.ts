import { expect, test } from 'vitest';
import { AnswerMemory } from '../../src/http/shared/answer-memory.ts';

const answer = (bytes: number) => ({ bytes: Buffer.alloc(bytes), etag: '"x"' });
const kept = (memory: AnswerMemory, revision: number, addresses: readonly string[]) =>
  addresses.filter((address) => memory.find(address, revision) !== undefined);

test('answers are kept in bounded memory, those that were asked for last', () => {
  const memory = new AnswerMemory(100_000);
  const addresses = Array.from({ length: 40 }, (_, index) => `/${index}`);
  for (const address of addresses) {
    memory.keep(address, 1, answer(2_000));
    expect(memory.find('/0', 1)).toBeDefined();
    expect(memory.bytes).toBeLessThanOrEqual(100_000);
  }
  const left = kept(memory, 1, addresses);
  expect(left).toEqual(['/0', ...addresses.slice(41 - left.length)]);
  expect(left.length).toBeGreaterThan(20);
});

test('a large one pushes none out', () => {
  const memory = new AnswerMemory(100_000);
  memory.keep('/small', 1, answer(2_000));
  memory.keep('/large', 1, answer(6_000));
  expect(kept(memory, 1, ['/small', '/large'])).toEqual(['/small']);
});

test('those of another revision are not found, and forgotten with the next', () => {
  const memory = new AnswerMemory(100_000);
  memory.keep('/a', 1, answer(2_000));
  expect(memory.find('/a', 2)).toBeUndefined();
  memory.keep('/b', 2, answer(100));
  expect([memory.find('/a', 1), memory.find('/a', 2)]).toEqual([undefined, undefined]);
  expect(memory.bytes).toBeLessThan(2_000);
});
