/**
 * Returns the text of a playlist (.m3u) of discs: one relative path per line, without a byte order
 * mark. A name that starts with `#` would be a comment.
 */
export function discList(paths: readonly string[]): string {
  return paths.map((path) => `${path.startsWith('#') ? './' : ''}${path}\n`).join('');
}
