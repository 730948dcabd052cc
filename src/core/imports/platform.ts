/** Platform names are compared by letters and digits only (decisions.md, Words). */
export function platformKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * `videos` when the header's name has a parenthesised part ending in the word `Video`, else `games`: "Sony -
 * PlayStation Portable (UMD Video)" holds videos, "Sega - Video Driver" and "(UMD Music)" do not.
 */
export function systemOfHeader(name: string): 'games' | 'videos' {
  return /\((?:[^()]*[^()\p{L}\p{N}])?video\s*\)/iu.test(name) ? 'videos' : 'games';
}
