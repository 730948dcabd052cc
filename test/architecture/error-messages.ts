const message = String.raw`\bmessage\b`;
const comparisons = [
  new RegExp(String.raw`${message}\s*[=!]==?`),
  new RegExp(String.raw`[=!]==?\s*[\w.?!()]*${message}`),
  new RegExp(
    String.raw`${message}\s*\??\.\s*(?:includes|startsWith|endsWith|match|matchAll|search|indexOf)\b`,
  ),
  new RegExp(String.raw`\.\s*(?:test|exec)\([^)]*${message}`),
  new RegExp(String.raw`\bswitch\s*\([^)]*${message}`),
];

/**
 * Returns the lines of a source text that branch on an error's message. Comment lines are skipped.
 */
export function findMessageComparisons(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(\/\/|\*|\/\*)/.test(line))
    .filter((line) => comparisons.some((comparison) => comparison.test(line)));
}
