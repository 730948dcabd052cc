import type { Config } from '../../src/settings/config.ts';

/** A setting: its names, its default, and examples of valid and invalid texts. */
export interface SettingRow {
  readonly key: keyof Config;
  readonly option?: string;
  readonly variable: string;
  readonly fallback: unknown;
  /** The value of an empty text, if an empty text has its own meaning. */
  readonly empty?: unknown;
  /** True if error messages must not repeat the value. */
  readonly mayBeSecret?: true;
  readonly right: readonly (readonly [text: string, value: unknown])[];
  readonly wrong: readonly string[];
}

/** Texts that are invalid for all settings that are whole numbers. */
export const notNumbers = [
  'x',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '1 2',
  '١',
  'NaN',
  'Infinity',
  '9'.repeat(400),
];
