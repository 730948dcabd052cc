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
