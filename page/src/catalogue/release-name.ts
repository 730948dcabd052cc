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
 * Returns a platform's name without its maker, such as `PlayStation Portable` for `Sony -
 * PlayStation Portable`. Keeps the maker if the rest means nothing alone: `Commodore 64` for
 * `Commodore - 64`.
 */
export function shortPlatform(platform: string): string {
  const at = platform.indexOf(' - ');
  if (at < 0) return platform;
  const rest = platform.slice(at + 3);
  return /^(\d|..?$|..? \()/.test(rest) ? `${platform.slice(0, at)} ${rest}` : rest;
}
