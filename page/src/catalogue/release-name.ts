/**
 * Splits a release's name into its title and the parentheses after the title. Examples of such
 * parentheses are `(USA)` and `(Europe) (Demo)`.
 */
export function splitName(name: string): { readonly main: string; readonly rest: string } {
  const at = name.search(/\s\(/);
  if (at <= 0) return { main: name, rest: '' };
  return { main: name.slice(0, at), rest: name.slice(at + 1) };
}

/** Returns a release's name without the parentheses after the title. */
export const titleOf = (name: string) => splitName(name).main;

/**
 * Returns a platform's name without its manufacturer, such as `PlayStation Portable` for `Sony -
 * PlayStation Portable`.
 */
export function shortPlatform(platform: string): string {
  const at = platform.indexOf(' - ');
  return at < 0 ? platform : platform.slice(at + 3);
}
