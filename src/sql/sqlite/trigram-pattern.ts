const mostParts = 4;
const longestPart = 24;

/**
 * Returns a LIKE pattern for the trigram index, whose cost grows with every three characters of a
 * pattern. It matches everything that `pattern` does, and more where `pattern` has many parts or
 * long ones.
 */
export function trigramPattern(pattern: string): string {
  const parts = pattern.split(/[%_]/).filter((part) => [...part].length >= 3);
  if (parts.length <= mostParts && parts.every((part) => part.length <= longestPart))
    return pattern;
  const longest = new Set(parts.toSorted((a, b) => b.length - a.length).slice(0, mostParts));
  const kept = parts.filter((part) => longest.has(part)).slice(0, mostParts);
  // Cut by code points, so that no character is split.
  return `%${kept.map((part) => [...part].slice(0, longestPart).join('')).join('%')}%`;
}
