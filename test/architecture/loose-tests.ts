const definers = 'test|it|testEngines|testSomeAndMany|testMutants|testFirstOfEach|\\w+Contract';
/** Begins a statement that defines tests. `test.skip` only stands for a missing engine. */
const definition = new RegExp(`^(?:${definers})(?:\\(|\\.(?!skip\\())`);
const block = /^(?:for|if) \(/;

/**
 * Returns the lines of a test file with a test outside of every `describe`, as `line number: text`.
 * In a list of failures, the title of such a test does not say what was tested.
 */
export function findLooseTests(file: string, text: string): string[] {
  if (!file.endsWith('.test.ts')) return [];
  let isInBlock = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\S/.test(line)) isInBlock = block.test(line);
    const statement = isInBlock ? line.replace(/^ {2}(?! )/, '') : line;
    return definition.test(statement) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
