/**
 * Returns the key by which platform names are compared: letters and digits only (decisions.md,
 * Words).
 */
export function platformKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns `videos` when the header's name has a parenthesised part ending in the word `Video`, else
 * `games`. "Sony - PlayStation Portable (UMD Video)" is for videos, "Sega - Video Driver" and "(UMD
 * Music)" are not.
 */
export function systemOfHeader(name: string): 'games' | 'videos' {
  return /\((?:[^()]*[^()\p{L}\p{N}])?video\s*\)/iu.test(name) ? 'videos' : 'games';
}
