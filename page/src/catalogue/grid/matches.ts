/** A part of a text from index `start` to index `end`, which is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A piece of a text that is displayed. `start` is the index of the piece in the text. */
export interface Piece {
  readonly start: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Normalizes a text for comparison, as the server's search does (`search-text.ts`). */
export function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}

/** Returns the words of a search, folded. */
export function wordsOf(search: string): string[] {
  return [...new Set(fold(search).split(/\s+/))].filter(Boolean);
}

/** Returns the parts of a text that match a word, in order and without overlaps. */
export function findMatches(text: string, words: readonly string[]): Range[] {
  return merge(matchesOf(text, words).flat(), 0);
}

/** Returns, for each word, the parts of a text that match the word. */
function matchesOf(text: string, words: readonly string[]): Range[][] {
  if (words.length === 0) return [];
  let folded = '';
  /** For each character of `folded`, the part of `text` that it stands for. */
  const origins: { start: number; end: number }[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const form = fold(character);
    const last = origins.at(-1);
    if (form === '' && last) last.end = end; // a separate accent belongs to the character before it
    for (const _ of form.split('')) origins.push({ start: at, end });
    folded += form;
    at = end;
  }
  return words.map((word) => {
    const ranges: Range[] = [];
    for (let i = folded.indexOf(word); i >= 0; i = folded.indexOf(word, i + word.length)) {
      const [first, last] = [origins[i], origins[i + word.length - 1]];
      if (first && last) ranges.push({ start: first.start, end: last.end });
    }
    return ranges;
  });
}

/** Joins ranges that overlap or are at most `gap` characters apart. */
function merge(ranges: readonly Range[], gap: number): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || range.start > last.end + gap) merged.push(range);
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return merged;
}

/**
 * Splits a text into the matches of these words and the pieces between them. `context` is the
 * number of characters to keep before and after the first match of each word; `…` replaces the rest
 * of the text. If `context` is null, the whole text is kept.
 */
export function piecesOf(text: string, words: readonly string[], context: number | null): Piece[] {
  const found = matchesOf(text, words);
  const matches = merge(found.flat(), 0);
  const firsts = found.flatMap((ranges) => ranges.slice(0, 1));
  const whole = [{ start: 0, end: text.length }];
  const kept = context === null ? whole : merge(around(text, firsts, context), 2);
  const pieces: Piece[] = [];
  const add = (start: number, end: number, isMatch: boolean) => {
    if (end > start) pieces.push({ start, text: text.slice(start, end), isMatch });
  };
  const gap = (start: number) => pieces.push({ start, text: '…', isMatch: false });
  let last = 0;
  for (const { start, end } of kept) {
    if (start > last) gap(last);
    let at = start;
    for (const match of matches.filter((each) => each.start >= start && each.end <= end)) {
      add(at, match.start, false);
      add(match.start, match.end, true);
      at = match.end;
    }
    add(at, end, false);
    last = end;
  }
  if (last < text.length) gap(last);
  return pieces;
}

/** Returns each match with up to `context` characters before and after it. */
function around(text: string, matches: readonly Range[], context: number): Range[] {
  return matches.map(({ start, end }) => {
    const before = text.slice(Math.max(0, start - context), start);
    const after = text.slice(end, end + context);
    const isStart = start <= context;
    const isEnd = end + context >= text.length;
    // Cut at blanks, so that words stay whole.
    const skipped = isStart ? 0 : before.indexOf(' ') + 1 || before.length;
    const length = isEnd ? after.length : Math.max(0, after.lastIndexOf(' '));
    return { start: start - before.length + skipped, end: end + length };
  });
}

/**
 * Returns the first serial of a release that matches a word, or null. Blanks and punctuation are
 * ignored, as in searches for serials.
 */
export function matchingSerial(serials: string, words: readonly string[]): string | null {
  const plain = (text: string) => fold(text).replace(/[^\p{L}\p{N}]/gu, '');
  const wanted = words.map(plain).filter(Boolean);
  const all = serials.split(',').map((serial) => serial.trim());
  return all.find((serial) => wanted.some((word) => plain(serial).includes(word))) ?? null;
}
