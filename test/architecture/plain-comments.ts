import { endsSentence, isHard, isTooWide } from './plain-words.ts';

/**
 * Finds hard comments of a source file, or of a file of `deploy/`. Returns them as `line number:
 * text`. A comment is hard in each of these cases:
 * - A sentence begins with an opener.
 * - The comment contains a private word.
 * - A line is too wide.
 */
export function findHardComments(file: string, text: string): string[] {
  const lines = file.startsWith('deploy/') ? hashCommentLines(text) : commentLines(text);
  return lines.flatMap(({ number, line, words, isStart }) =>
    isTooWide(line) || isHard(words, isStart) ? [`${number}: ${line.trim()}`] : [],
  );
}

interface CommentLine {
  readonly number: number;
  readonly line: string;
  /** The text of the comment in this line. */
  readonly words: string;
  /** True if a sentence begins with this line. */
  readonly isStart: boolean;
}

function commentLines(text: string): CommentLine[] {
  const found: CommentLine[] = [];
  let isInBlock = false;
  let wasLineComment = false;
  for (const [index, line] of text.split('\n').entries()) {
    const block = /^\s*(?:\/\*\*?|<!--)\s*(.*?)(?:\*\/|-->)?\s*$/.exec(line);
    const single = /^\s*\/\/\s?(.*)$/.exec(line) ?? /\s\/\/ (.*)$/.exec(line);
    const number = index + 1;
    if (isInBlock) {
      const words = line.replace(/^\s*\*?\s?/, '').replace(/(\*\/|-->)\s*$/, '');
      found.push(continued(found, { number, line, words }));
    } else if (block !== null) {
      found.push({ number, line, words: block[1] ?? '', isStart: true });
    } else if (single !== null) {
      const comment = { number, line, words: single[1] ?? '' };
      found.push(wasLineComment ? continued(found, comment) : { ...comment, isStart: true });
    }
    if (block !== null && !isInBlock) isInBlock = true;
    if (/(\*\/|-->)\s*$/.test(line)) isInBlock = false;
    wasLineComment = single !== null && /^\s*\/\//.test(line);
  }
  return found;
}

/** Returns the lines of comments that begin with `#`. */
function hashCommentLines(text: string): CommentLine[] {
  const found: CommentLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const comment = /^\s*#\s?(.*)$/.exec(line);
    if (comment === null) continue;
    const number = index + 1;
    const one = { number, line, words: comment[1] ?? '' };
    const isNext = found.at(-1)?.number === index;
    found.push(isNext ? continued(found, one) : { ...one, isStart: true });
  }
  return found;
}

/** Returns a line that continues the comment of the last line found. */
function continued(
  found: readonly CommentLine[],
  { words, ...line }: Omit<CommentLine, 'isStart'>,
): CommentLine {
  const item = /^- (.*)$/.exec(words);
  if (item !== null) return { ...line, words: item[1] ?? '', isStart: true };
  return { ...line, words, isStart: endsSentence(found.at(-1)?.words ?? '') };
}
