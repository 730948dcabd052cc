import { expect, test } from 'vitest';
import { SeenTexts } from '../../src/http/shared/seen-texts.ts';

test('remembers so many texts, those that came last', () => {
  const texts = new SeenTexts(2);
  const isSeen = ['a', 'b', 'a', 'c', 'a', 'b'].map((text) => texts.addAgain(text));
  expect(isSeen).toEqual([false, false, true, false, true, false]);
});

test('takes long texts for seen and remembers none of them', () => {
  const texts = new SeenTexts(1);
  texts.addAgain('a');
  expect(texts.addAgain('x'.repeat(1_001))).toBe(true);
  expect(texts.addAgain('a')).toBe(true);
});
