import { describe, expect, test } from 'vitest';
import { auditActions } from '../src/api/schema.ts';
import { de } from '../src/language/de.ts';
import { en } from '../src/language/en.ts';
import { actionText, detailText, targetText } from '../src/reports/audit-text.ts';

describe.each([
  ['English', en],
  ['German', de],
])('the texts of the audit in %s', (_, t) => {
  test.each(auditActions)('has words for %s', (action) => {
    expect(actionText(action, t)).toMatch(/^\p{Lu}[^.]+$/u);
  });

  test('leaves an unknown action and target as they are', () => {
    expect(actionText('ship.sink', t)).toBe('ship.sink');
    expect(targetText('ship/7', t)).toBe('ship/7');
    expect(targetText('nothing', t)).toBe('nothing');
  });
});

test('names the kind of a target, and keeps slashes in names', () => {
  expect(targetText('release/12', en)).toBe('Release 12');
  expect(targetText('store/games/a.zip', en)).toBe('Archive games/a.zip');
});

test('leaves out details that say nothing', () => {
  const detail = { rows: 0, name: '', isNew: false, gone: null, size: 7, counts: { a: 0, b: 2 } };
  expect(detailText(detail)).toBe('size: 7 · counts: {"b":2}');
  expect(detailText(null)).toBe('');
});
