import { describe, expect, test } from 'vitest';
import { type PreferenceStorage, Preferences } from '../src/shell/preferences.svelte.ts';

function memory(first: string | null = null): PreferenceStorage & { text: string | null } {
  return {
    text: first,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

describe('the store of preferences', () => {
  test('stores each preference independently', () => {
    const storage = memory();
    new Preferences(storage).set({ theme: 'dark' });
    const later = new Preferences(storage);
    expect([later.theme, later.singleKeys, later.view, later.language]).toEqual([
      'dark',
      true,
      'covers',
      null,
    ]);
  });

  test('picks up changes made in another tab', () => {
    const storage = memory();
    const here = new Preferences(storage);
    new Preferences(storage).set({ singleKeys: false, language: 'de' });
    here.refresh();
    expect([here.singleKeys, here.language]).toEqual([false, 'de']);
  });

  test.each(['{', 'null', '[]', '"x"'])('uses the defaults when %s is stored', (text) => {
    expect(new Preferences(memory(text)).theme).toBe('auto');
  });

  test('keeps values in memory when storage is missing or full', () => {
    const none = new Preferences(null);
    none.set({ view: 'table' });
    expect(none.view).toBe('table');
    const full = new Preferences({
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    full.set({ view: 'table' });
    expect(full.view).toBe('table');
  });
});
