const reads = [
  /\bprocess\s*\??\.\s*env\b/,
  /\bprocess\s*(\?\.)?\[/,
  /\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/,
  /\bfrom\s+['"](node:)?process['"]/,
];

/**
 * Returns the lines of a source text that read the environment or might read it. Comment lines are
 * skipped.
 */
export function findEnvironmentReads(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(\/\/|\*|\/\*)/.test(line))
    .filter((line) => reads.some((read) => read.test(line)));
}
