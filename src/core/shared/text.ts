/**
 * Compares texts by code point. All databases of this program use this order
 * (docs/api/decisions.md). JavaScript's `<` compares UTF-16 code units instead, which puts
 * characters beyond U+FFFF before some characters below U+FFFF.
 */
export function compareByCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

/** Returns the text with A to Z in lower case, as both databases compare texts. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Makes text from files, users or clients safe to show on one line of a terminal. Replaces each of
 * these characters by `?`: control characters, line separators, characters that change the writing
 * direction, and unpaired surrogates.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '?');
}

/** Truncates a text to as many whole characters as fit into `bytes` bytes of UTF-8. */
export function truncateToBytes(text: string, bytes: number): string {
  const start = new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
  return text.slice(0, start);
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
