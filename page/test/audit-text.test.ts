import { describe, expect, test } from 'vitest';
import { auditActions } from '../src/api/schema.ts';
import { de } from '../src/language/de.ts';
import { en } from '../src/language/en.ts';
import { actionText, auditSentence, detailText, targetText } from '../src/reports/audit-text.ts';

describe.each([
  ['English', en],
  ['German', de],
])('the texts of the audit in %s', (_, t) => {
  test.each(auditActions)('has words for %s', (action) => {
    expect(actionText(action, t)).toMatch(/^\p{Lu}[^.]+$/u);
  });

  test.each(auditActions)('has a sentence for %s', (action) => {
    const entry = { action, username: 'zoe', kind: 'user', target: 'release/12' } as const;
    const sentence = auditSentence(entry, t)
      .map(({ text }) => text)
      .join('');
    expect(sentence).toContain('zoe');
    expect(sentence).not.toContain(action.includes('.') ? action : 'import/');
    expect(sentence).not.toMatch(/[{}]/);
  });

  test('leaves an unknown action and target as they are', () => {
    expect(actionText('ship.sink', t)).toBe('ship.sink');
    expect(targetText('ship/7', t)).toBe('ship/7');
    expect(targetText('nothing', t)).toBe('nothing');
  });
});

describe('the text of an audit entry', () => {
  test('names the kind of a target, and keeps slashes in names', () => {
    expect(targetText('release/12', en)).toBe('Release 12');
    expect(targetText('store/games/a.zip', en)).toBe('Archive games/a.zip');
  });

  test('puts who and what into a sentence', () => {
    const entry = { action: 'release.edit', username: null, kind: 'system', target: 'release/12' };
    expect(auditSentence(entry as never, en)).toEqual([
      { kind: 'who', text: 'The server' },
      { kind: 'plain', text: ' edited ' },
      { kind: 'target', text: 'release 12' },
    ]);
    const german = auditSentence({ ...entry, username: 'zoe', kind: 'user' } as never, de);
    expect(german.map(({ text }) => text).join('')).toBe('zoe hat Veröffentlichung 12 bearbeitet');
    const unknown = auditSentence({ ...entry, action: 'ship.sink' } as never, en);
    expect(unknown.map(({ text }) => text).join('')).toBe('The server: ship.sink release 12');
  });

  test('describes details in words, and leaves out those that say nothing', () => {
    const formats = {
      size: (bytes: number) => `${bytes} B`,
      minute: (at: string) => `at ${at}`,
      number: (value: number) => `${value}`,
    };
    const textOf = (detail: Record<string, unknown> | null, t = en) =>
      detailText(detail, t, formats);
    const nothing = { rows: 0, name: '', isNew: false, gone: null };
    expect(textOf({ ...nothing, size: 7, counts: { rows: 0, refusedRows: 2 } })).toBe(
      'Size: 7 B · counts: Skipped rows: 2',
    );
    expect(textOf({ fields: ['genre', 'title'], isActive: true }, de)).toBe(
      'Felder: Genre, Titel · Aktiv: ja',
    );
    expect(textOf({ count: 3, last_at: 'noon' })).toBe('Attempts: 3 · Last attempt: at noon');
    expect(textOf(null)).toBe('');
  });
});
