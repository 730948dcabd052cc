/** A name in two parts: what it is called, and what follows in parentheses: `(USA)`, `(Europe) (Demo)`. */
export function splitName(name: string): { readonly main: string; readonly rest: string } {
  const at = name.search(/\s\(/);
  if (at <= 0) return { main: name, rest: '' };
  return { main: name.slice(0, at), rest: name.slice(at + 1) };
}

/** `Sony - PlayStation Portable` without its maker, where it names one. */
export function shortPlatform(platform: string): string {
  const at = platform.indexOf(' - ');
  return at < 0 ? platform : platform.slice(at + 3);
}
