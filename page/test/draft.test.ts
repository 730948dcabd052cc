import { expect, test } from 'vitest';
import { Draft } from '../src/release/draft.svelte.ts';
import { type Fields, fieldsOf } from '../src/release/fields.ts';

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

test('fields that nobody set are empty', () => {
  expect(saved).toMatchObject({ name: 'Ace', title: 'T', genre: '', synopsis: '' });
});

test('only what differs is sent, and what takes it back', () => {
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

test('typing in one field is one step, until it pauses', () => {
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

test('a newer version keeps what was typed', () => {
  const draft = new Draft(saved);
  draft.type('name', 'Mine');
  draft.rebase({ ...saved, name: 'Theirs', genre: 'Racing' });
  expect([draft.fields.name, draft.fields.genre, draft.reverse]).toEqual([
    'Mine',
    'Racing',
    { name: 'Theirs' },
  ]);
});

test('what another wrote is taken where one wants it', () => {
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
