import { endsSentence, isHard, isTooWide } from './plain-words.ts';

/** The header of the table of words to avoid. The table contains these words, of course. */
const glossary = '| Write | Not |';

/**
 * Finds hard lines of a document in Markdown. Returns them as `line number: text`. Examines the
 * sentences and the cells of tables, but not headings and code. A line is hard in each of these
 * cases:
 * - A sentence begins with an opener.
 * - The line contains a private word.
 * - The line is too wide. Rows of tables may have any width.
 */
export function findHardLines(_file: string, text: string): string[] {
  const found: string[] = [];
  let isCode = false;
  let isGlossary = false;
  let isStart = true;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    if (line.startsWith(glossary)) isGlossary = true;
    if (!line.startsWith('|')) isGlossary = false;
    if (isCode || isGlossary || /^(```|#| {4}|<)/.test(line)) {
      isStart = true;
      continue;
    }
    const isRow = line.startsWith('|');
    const item = /^\s*(?:- |\d+\. )(.*)$/.exec(line);
    const words = item?.[1] ?? line.trim();
    const hard = isRow
      ? cellsOf(line).some((cell) => isHard(cell, false))
      : isTooWide(line) || isHard(words, isStart || item !== null);
    if (hard) found.push(`${index + 1}: ${line.trim().slice(0, 200)}`);
    isStart = endsSentence(words) || isRow;
  }
  return found;
}

/** Returns the cells of a table's row. A pipe in a code span or after a backslash is text. */
function cellsOf(line: string): string[] {
  const text = line.replaceAll(/`[^`]*`/g, '`code`').replaceAll('\\|', ' ');
  return text.split('|').map((cell) => cell.trim());
}
