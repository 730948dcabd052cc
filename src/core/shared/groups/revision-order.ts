import { compareByCodePoint } from '../text.ts';

/**
 * Compares two revisions, such as `Rev 1`, `Rev A` and `v1.01`. Older revisions come first, and no
 * revision ("") before all others. The numbers of a version are compared one by one. A letter
 * counts as its place in the alphabet.
 */
export function compareRevisions(one: string, other: string): number {
  if (one === other) return 0;
  const [a, b] = [numbersOf(one), numbersOf(other)];
  for (let place = 0; place < Math.max(a.length, b.length); place++) {
    const difference = (a[place] ?? -1) - (b[place] ?? -1);
    if (difference !== 0) return difference;
  }
  return compareByCodePoint(one.toLowerCase(), other.toLowerCase());
}

/**
 * Returns the numbers of a revision in order. A letter is its place in the alphabet. Numbers above
 * 2^53 are rounded.
 */
function numbersOf(revision: string): number[] {
  const value = revision.toLowerCase().replace(/^(?:rev|version|v)/, '');
  return [...value.matchAll(/[0-9]+|[a-z]/g)].map(([part]) => {
    const number = Number(part);
    return Number.isNaN(number) ? part.charCodeAt(0) - 96 : number;
  });
}
