/**
 * Returns the text by which platform names are compared: the letters and digits of the name, in
 * lower case (docs/api/decisions.md, Words).
 */
export function platformKey(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns the system of a DAT, judged by the name in its header. It is `videos` if a parenthesised
 * part of the name ends in the word `Video`, otherwise `games`. Examples: "Sony - PlayStation
 * Portable (UMD Video)" is for videos; "Sega - Video Driver" and "(UMD Music)" are for games.
 */
export function systemOfHeader(name: string): 'games' | 'videos' {
  return /\((?:[^()]*[^()\p{L}\p{N}])?video\s*\)/iu.test(name) ? 'videos' : 'games';
}
