import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config.ts';
import { defaultText } from '../../src/settings/setting.ts';
import { settings } from '../../src/settings/settings.ts';
import { placeSettings } from './place-settings.ts';
import { serverSettings } from './server-settings.ts';

const rows = [...serverSettings, ...placeSettings];

describe('the table of settings', () => {
  test('has a default to show for every setting', () => {
    for (const setting of Object.values(settings)) {
      expect(defaultText(setting), setting.variable).toMatch(/^[./\w'-][^{}=]*$/);
    }
  });

  test('has a row of test values for every setting', () => {
    expect(rows.map((row) => row.key).sort()).toEqual(Object.keys(readConfig({}, {})).sort());
  });
});

describe.each(rows)('the setting $key', (row) => {
  const { key, option, variable, fallback, empty, mayBeSecret, right, wrong } = row;
  const quoted = mayBeSecret ? '' : '"';

  test('has its default when it is not set, and when the variable is empty', () => {
    expect(readConfig({}, {})[key]).toEqual(fallback);
    expect(readConfig({}, { [variable]: '' })[key]).toEqual(empty ?? fallback);
  });

  test.each(right)('is read from its variable: %j', (text, value) => {
    expect(readConfig({}, { [variable]: text })[key]).toEqual(value);
  });

  test.each(wrong)('is refused if its variable is invalid: %j', (text) => {
    const read = () => readConfig({}, { [variable]: text });
    expect(read).toThrow(new RegExp(`^${variable}: ${quoted}`));
    expect(read).toThrow(expect.objectContaining({ kind: 'usage' }));
  });

  if (option === undefined) return;

  test.each(right)('is read from its option before the variable: %j', (text, value) => {
    expect(readConfig({ [option]: text }, {})[key]).toEqual(value);
    expect(readConfig({ [option]: text }, { [variable]: 'nonsense ' })[key]).toEqual(value);
  });

  // An empty text is valid for lists, and for settings in which it has its own meaning.
  const isEmptyValid = Array.isArray(fallback) || empty !== undefined;
  const invalid = [...wrong, ''].filter((text) => text !== '' || !isEmptyValid);
  test.each(invalid)('is refused if its option is invalid: %j', (text) => {
    const read = () => readConfig({ [option]: text }, { [variable]: right[0]?.[0] });
    expect(read).toThrow(new RegExp(`^--${option}: ${quoted}`));
  });
});
