import type { Config } from '../../src/config.ts';

/** A setting: its names, what it is without them, and texts that are right and wrong. */
export interface SettingRow {
  readonly key: keyof Config;
  readonly option?: string;
  readonly variable: string;
  readonly fallback: unknown;
  /** What an empty text gives, where it is a value of its own. */
  readonly empty?: unknown;
  /** No message repeats it. */
  readonly mayBeSecret?: true;
  readonly right: readonly (readonly [text: string, value: unknown])[];
  readonly wrong: readonly string[];
}

/** Texts that are wrong for every setting that is a whole number. */
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
