/**
 * Returns the tags in an `If-Match` or `If-None-Match` header, weak tags with their `W/`. Returns
 * `*` if the header stands for any tag (RFC 9110, 13.1.1 and 13.1.2).
 */
export function entityTagsOf(header: string): readonly string[] | '*' {
  if (header.trim() === '*') return '*';
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}

/**
 * Returns true if `If-None-Match` lists the tag. The comparison is weak: it ignores `W/` (RFC 9110,
 * 13.1.2).
 */
export function isListed(header: string, etag: string): boolean {
  const tags = entityTagsOf(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
