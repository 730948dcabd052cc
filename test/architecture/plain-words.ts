/**
 * Words that the glossary of CONTRIBUTING.md replaces. The list contains only words that are never
 * right in a comment or a document.
 */
const privateWords: readonly RegExp[] = [
  /\bbroken off\b/i,
  /(?<!\bthere )\bis (none of|no address|no file|no release)\b/i,
  /\b(lies|lie) (by hand|there by hand|on disk|in the store)\b/i,
  /\b(lies|laid there|laid by hand)\b/i,
  /\bcannot be had\b/i,
  /\bhas to be there\b/i,
  /\b(what|whom?|that) nobody\b/i,
  /\bnobody (waits|knows|asks|asked)\b/i,
  /\btold\b/i,
  /\b(askers?|everybody|somebody|strangers?|whoever)\b/i,
  /\bso (many|long|much) (at most|a)\b/i,
  /\banswer(s|ed)? (it )?(with )?[1-5]\d\d\b/i,
  /\b(make|makes|made) (checksums|hashes)\b/i,
  /\bsettle[sd]? (a|an|all|the|its) ([a-z]+ )?(change|reservation)s?\b/i,
  /\b(change|reservation)s? (was|were|is|are|cannot be|can be) settled\b/i,
  /\b(in turns of|untrue)\b/i,
];

/** Words that delay the subject when a sentence begins with them. */
const opener =
  /(?:^|[.:;!?] )(?:What|Whoever|Which|Where|Of|So many|So long|As many as|By what|By which|That (?:an?|the|it|they|there|this|these|no|nobody|which|we|you))\b(?![^.]*\?)/;

/** A sentence that begins with `By …:` instead of its subject. */
const key = /(?:^|[.:;!?] )By (?!default\b)[^.,:;]{1,60}:/;

const maxColumns = 100;

/** Returns true if a line is too long. Lines with URLs or escaped characters may be longer. */
export function isTooWide(line: string): boolean {
  return line.length > maxColumns && !/:\/\/|\\u/.test(line);
}

/**
 * Returns true if the text contains a private word, or a sentence that begins with an opener.
 * `isStart` is true if the text begins with a sentence. Code spans and quotations are not examined.
 */
export function isHard(text: string, isStart: boolean): boolean {
  const words = text.replaceAll(/`[^`]*`/g, '`code`').replaceAll(/"[^"]*"/g, '"quoted"');
  const sentences = isStart ? words : ` ${words}`;
  return (
    opener.test(sentences) || key.test(sentences) || privateWords.some((word) => word.test(words))
  );
}

/** Returns true if the next line begins a sentence. */
export function endsSentence(text: string): boolean {
  return text.trim() === '' || /[.:;!?]$/.test(text.trimEnd());
}
