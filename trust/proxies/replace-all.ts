/** Throws when a text does not stand once: the file is another one than is meant. */
export function replaceAll(
  text: string,
  changes: readonly (readonly [from: string, to: string])[],
): string {
  return changes.reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`it does not hold once: ${from}`);
    return changed.replace(from, () => to);
  }, text);
}
