/**
 * Returns the tags in an `If-Match` or `If-None-Match` header; weak tags keep their `W/`. Returns
 * `*` if the header stands for any tag (RFC 9110, 8.8.3).
 */
export function entityTagsOf(header: string): readonly string[] | '*' {
  if (header.trim() === '*') return '*';
  return header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? [];
}

/**
 * Whether `If-None-Match` lists the tag. The comparison is weak, so `W/` is ignored (RFC 9110,
 * 13.1.2).
 */
export function isListed(header: string, etag: string): boolean {
  const tags = entityTagsOf(header);
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
