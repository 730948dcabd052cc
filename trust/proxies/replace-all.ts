/**
 * Replaces texts, each of which must occur exactly once. Throws otherwise, because the file is not
 * the expected one.
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
