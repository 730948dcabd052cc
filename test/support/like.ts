/**
 * Returns true if `text LIKE pattern` is true in SQL. `%` matches any text and `_` one character.
 * ASCII letters match in either case, and there is no escape character.
 */
export function isLike(text: string, pattern: string): boolean {
  const chars = [...text].map(foldAscii);
  let reached = new Set([0]);
  for (const wanted of [...pattern].map(foldAscii)) {
    const next = new Set<number>();
    for (const at of reached) {
      if (wanted === '%') for (let to = at; to <= chars.length; to += 1) next.add(to);
      else if (at < chars.length && (wanted === '_' || wanted === chars[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(chars.length);
}

/** Compares texts by their UTF-8 bytes, which is the order of code points. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function foldAscii(char: string): string {
  return /[A-Z]/.test(char) ? char.toLowerCase() : char;
}
