/**
 * Replaces texts that must each occur exactly once. Throws if a text does not occur exactly once,
 * because the file is then not the expected one.
 */
export function replaceAll(
  text: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  return changes.reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`it does not hold once: ${from}`);
    return changed.replace(from, () => to);
  }, text);
}
