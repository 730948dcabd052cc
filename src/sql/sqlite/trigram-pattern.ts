const mostParts = 4;
const longestPart = 24;

/**
 * Returns a cheaper LIKE pattern for the trigram index. A look-up costs more with every trigram of
 * the pattern. The result matches everything that `pattern` matches. If `pattern` has many or long
 * parts, the result may match more.
 */
export function trigramPattern(pattern: string): string {
  const parts = pattern.split(/[%_]/).filter((part) => [...part].length >= 3);
  if (parts.length <= mostParts && parts.every((part) => part.length <= longestPart))
    return pattern;
  const longest = new Set(parts.toSorted((a, b) => b.length - a.length).slice(0, mostParts));
  const kept = parts.filter((part) => longest.has(part)).slice(0, mostParts);
  // Truncates by code points, so that no character is split.
  return `%${kept.map((part) => [...part].slice(0, longestPart).join('')).join('%')}%`;
}
