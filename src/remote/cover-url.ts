/**
 * Returns the URL of the cover for a name, on a server whose URLs are structured like those of the
 * libretro thumbnails. Returns null for a platform whose name cannot be a folder name.
 *
 * The characters that are replaced by "_" are listed in github.com/libretro-thumbnails, README,
 * "File name conventions".
 */
export function coverUrl(base: string, platform: string, name: string): URL | null {
  if (/^\.{0,2}$/.test(platform)) return null;
  const file = `${name.replace(/[&*/:`<>?\\|"]/g, '_')}.png`;
  const path = [platform, 'Named_Boxarts', file].map(encodePart).join('/');
  return new URL(`${base.replace(/(?<!\/)\/+$/, '')}/${path}`);
}

/**
 * Returns the names under which a release's cover may be stored, in the order in which to try them.
 * All unchanged names come first, then each name truncated at its first " (", as in RetroArch.
 */
export function namesToTry(names: readonly string[]): string[] {
  const cut = names.map((name) => name.split(' (', 1)[0] ?? '');
  return [...new Set([...names, ...cut])].filter((name) => name !== '');
}

function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
