const mostParts = 4;
const longestPart = 24;

/**
 * A pattern of LIKE for the index of trigrams, which takes time for every three characters of it: it matches all that
 * `pattern` does, and more where `pattern` has many parts or long ones.
 */
export function trigramPattern(pattern: string): string {
  const parts = pattern.split(/[%_]/).filter((part) => [...part].length >= 3);
  if (parts.length <= mostParts && parts.every((part) => part.length <= longestPart))
    return pattern;
  const longest = new Set(parts.toSorted((a, b) => b.length - a.length).slice(0, mostParts));
  const kept = parts.filter((part) => longest.has(part)).slice(0, mostParts);
  // By characters, so that none is cut in half.
  return `%${kept.map((part) => [...part].slice(0, longestPart).join('')).join('%')}%`;
}
