/** The filters that a menu sets, in display order. */
export const menuNames = [
  'library',
  'cover',
  'system',
  'platform',
  'region',
  'genre',
  'year',
  'publisher',
] as const;
export type MenuName = (typeof menuNames)[number];

/** The filters that may have several values. A release must match one of the values. */
const several: ReadonlySet<MenuName> = new Set([
  'platform',
  'region',
  'genre',
  'year',
  'publisher',
]);

export const mayBeSeveral = (name: MenuName): boolean => several.has(name);

/**
 * Returns the values of a filter. `text` has the format of the API: `|` separates values, and `||`
 * stands for a `|` in a value.
 */
export function valuesOf(name: MenuName, text: string): string[] {
  if (text === '') return [];
  if (!mayBeSeveral(name)) return [text];
  // No filter contains this character, so it can stand for a `|` while the text is split.
  const values = text.replaceAll('||', '\uFFFF').split('|');
  return values.map((value) => value.replaceAll('\uFFFF', '|')).filter((value) => value !== '');
}

/** Returns the text of a filter with these values, in the format of the API. */
export function textOf(name: MenuName, values: readonly string[]): string {
  if (!mayBeSeveral(name)) return values[0] ?? '';
  return values.map((value) => value.replaceAll('|', '||')).join('|');
}
