import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/shared/clock.ts';
import type { Engine } from '../../src/sql/engine.ts';
import type { engines } from './engines.ts';

/** Opens a new, empty database. The database is closed after the test. */
export async function useEngine(open: (typeof engines)[number]['open']): Promise<Engine> {
  const { engine, close } = await open();
  onTestFinished(close);
  return engine;
}

/**
 * Names in the order of code points. The order differs by UTF-16 units, alphabetically, and without
 * case.
 */
export const inCodePointOrder = [
  '',
  ' ',
  '%',
  '100% _best_',
  'A',
  'B',
  'Zero',
  '[a]',
  '\\',
  '_',
  'a',
  "o'neil",
  'zero',
  'Ärger',
  'ärger',
  'ōkami',
  '大神',
  '桃太郎',
  '\uE000',
  '\uFF21',
  '\u{1F3AE}',
  '\u{1F600}',
];

/**
 * Returns a clock that advances by one second with each timestamp. The first timestamp is
 * `stamp(0)`.
 */
export function steppingClock(): Clock {
  let second = 0;
  return {
    now: () => Date.parse(stamp(second)),
    timestamp: () => stamp(second++),
    monotonic: () => second * 1000,
  };
}

export function stamp(second: number): string {
  return new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
}
