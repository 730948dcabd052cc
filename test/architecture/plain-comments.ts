/**
 * Words in comments that the glossary of CONTRIBUTING.md replaces. The list contains only the most
 * frequent ones.
 */
const privateWords: readonly RegExp[] = [
  /\bbroken off\b/i,
  /(?<!\bthere )\bis (none of|no address|no file|no release)\b/i,
  /\b(laid|lies|lie) (by hand|there by hand|on disk|in the store)\b/i,
  /\bcannot be had\b/i,
  /\b(what|whom?|whoever|that) nobody\b/i,
  /\bnobody (waits|knows|asks|asked|told|is told)\b/i,
  /\bsomebody (waits|asks|asked|told|laid)\b/i,
  /\bso (many|long|much) (at most|a)\b/i,
];

/** Words that delay the subject when a sentence begins with them. */
const opener =
  /(?:^|[.:;!?] )(What|Whoever|Of|So many|So long|As many as|By what|By which)\b(?! is\b)/;

const maxColumns = 100;

/**
 * Finds hard comments of a source file. Returns them as `line number: text`. A comment is hard in
 * each of these cases:
 * - A sentence begins with an opener.
 * - The comment contains a word of `privateWords`.
 * - A line has more than 100 columns, unless it contains a URL or escaped characters.
 */
export function findHardComments(_file: string, text: string): string[] {
  return commentLines(text).flatMap(({ number, line, words, isStart }) => {
    const isHard =
      (line.length > maxColumns && !/:\/\/|\\u/.test(line)) ||
      opener.test(isStart ? words : ` ${words}`) ||
      privateWords.some((word) => word.test(words));
    return isHard ? [`${number}: ${line.trim()}`] : [];
  });
}

interface CommentLine {
  readonly number: number;
  readonly line: string;
  /** The text of the comment in this line. */
  readonly words: string;
  /** True if the comment begins in this line. */
  readonly isStart: boolean;
}

function commentLines(text: string): CommentLine[] {
  const found: CommentLine[] = [];
  let isInBlock = false;
  let wasLineComment = false;
  for (const [index, line] of text.split('\n').entries()) {
    const block = /^\s*(?:\/\*\*?|<!--)\s*(.*?)(?:\*\/|-->)?\s*$/.exec(line);
    const single = /^\s*\/\/\s?(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
    if (isInBlock) {
      const words = line.replace(/^\s*\*?\s?/, '').replace(/(\*\/|-->)\s*$/, '');
      found.push({ number: index + 1, line, words, isStart: false });
    } else if (block !== null) {
      found.push({ number: index + 1, line, words: block[1] ?? '', isStart: true });
    } else if (single !== null) {
      found.push({ number: index + 1, line, words: single[1] ?? '', isStart: !wasLineComment });
    }
    if (block !== null && !isInBlock) isInBlock = true;
    if (/(\*\/|-->)\s*$/.test(line)) isInBlock = false;
    wasLineComment = single !== null && /^\s*\/\//.test(line);
  }
  return found;
}
