/** Maximum number of lines of a file, so that it is read in one go. */
const maxLines = 400;
/** The same for a file of tests, which has one test below the other. */
const maxTestLines = 440;

const counted = /\.(?:ts|svelte|css)$/;
/** A generated file. */
const uncounted = 'page/src/api/schema.ts';
const ofTests = /^(?:test|page\/test)\//;

/** Returns a finding if a file has too many lines, given its path and their number. */
export function findLongFile(file: string, lines: number): string[] {
  const limit = ofTests.test(file) ? maxTestLines : maxLines;
  if (!counted.test(file) || file === uncounted || lines <= limit) return [];
  return [`lines: ${file} has ${lines} lines, the limit is ${limit}; split it by feature`];
}
