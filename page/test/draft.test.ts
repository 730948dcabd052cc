import { describe, expect, test } from 'vitest';
import { Draft } from '../src/release/edit/draft.svelte.ts';
import { type Fields, fieldsOf } from '../src/release/edit/fields.ts';

const saved: Fields = fieldsOf({
  id: 1,
  system: 'games',
  name: 'Ace',
  region: 'USA',
  serial: 'A-1',
  cover: '',
  description: 'd',
  roms: [],
  meta: { title: 'T', manual: false },
});

describe('the draft of a release', () => {
  test('shows unset fields as empty', () => {
    expect(saved).toMatchObject({ name: 'Ace', title: 'T', genre: '', synopsis: '' });
  });

  test('returns only the changed fields and the values that revert them', () => {
    const draft = new Draft(saved);
    draft.type('name', 'Ace!');
    draft.type('region', 'Europe');
    draft.type('region', 'USA');
    expect([draft.changes, draft.reverse, draft.isChanged]).toEqual([
      { name: 'Ace!' },
      { name: 'Ace' },
      true,
    ]);
  });

  test('undoes continuous typing in one field as one step', () => {
    const draft = new Draft(saved);
    for (const text of ['A', 'Ab', 'Abc']) draft.type('name', text);
    draft.type('genre', 'x');
    draft.pause();
    draft.type('genre', 'xy');
    draft.undo();
    expect(draft.fields.genre).toBe('x');
    draft.undo();
    expect([draft.fields.genre, draft.fields.name]).toEqual(['', 'Abc']);
    draft.undo();
    draft.undo();
    expect([draft.fields, draft.canUndo, draft.isChanged]).toEqual([saved, false, false]);
  });

  test('keeps typed text when a newer version arrives', () => {
    const draft = new Draft(saved);
    draft.type('name', 'Mine');
    draft.rebase({ ...saved, name: 'Theirs', genre: 'Racing' });
    expect([draft.fields.name, draft.fields.genre, draft.reverse]).toEqual([
      'Mine',
      'Racing',
      { name: 'Theirs' },
    ]);
  });

  test("takes another user's value for a field on demand", () => {
    const draft = new Draft(saved);
    draft.type('name', 'Mine');
    draft.type('region', 'Japan');
    expect(draft.rebase({ ...saved, name: 'Theirs', genre: 'Racing' })).toEqual(['name', 'genre']);
    expect(draft.savedOf('name')).toBe('Theirs');
    draft.take('name');
    expect(draft.changes).toEqual({ region: 'Japan' });
    draft.undo();
    expect(draft.fields.name).toBe('Mine');
  });
});
