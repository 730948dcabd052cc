/**
 * Returns the tags listed by `If-Match` or `If-None-Match`, weak ones with their `W/` (RFC 9110,
 * 8.8.3); `*` for any.
 */
export function entityTagsOf(header: string): readonly string[] | '*' {
  if (header.trim() === '*') return '*';
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}

/**
 * Whether `If-None-Match` lists the tag, by weak comparison (RFC 9110, 13.1.2), which ignores `W/`.
 */
export function isListed(header: string, etag: string): boolean {
  const tags = entityTagsOf(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
