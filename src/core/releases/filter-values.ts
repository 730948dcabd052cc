import { invalidField } from '../shared/errors.ts';

const maxFilterValues = 100;

/** Returns the error for a filter with too many values. */
export const tooManyValues = (field: string) =>
  invalidField(field, `must be at most ${maxFilterValues} values`);

/**
 * Throws a 422 for a filter with too many values. The number of values is limited because each
 * value makes the search more expensive.
 */
export function checkValues(field: string, text: string): void {
  if (filterValues(text).length > maxFilterValues) throw tooManyValues(field);
}

/** Returns the filter text that stands for one value, which may contain `|`. */
export function filterText(value: string): string {
  return value.replaceAll('|', '||');
}

/**
 * Returns the values of a filter's text. `|` separates values. `||` stands for a `|` in a value.
 * Omits empty and repeated values.
 */
export function filterValues(text: string): string[] {
  const values = [''];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character !== '|') values.push((values.pop() ?? '') + character);
    else if (text[at + 1] !== '|') values.push('');
    else {
      values.push(`${values.pop() ?? ''}|`);
      at += 1;
    }
  }
  return [...new Set(values)].filter((value) => value !== '');
}
