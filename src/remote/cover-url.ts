/**
 * Returns the URL of the cover for a name, on a server in the layout of the libretro thumbnails.
 * Returns null for a platform that cannot be a folder there.
 *
 * Source: github.com/libretro-thumbnails, README, "File name conventions": the characters that are
 * replaced.
 */
export function coverUrl(base: string, platform: string, name: string): URL | null {
  if (/^\.{0,2}$/.test(platform)) return null;
  const file = `${name.replace(/[&*/:`<>?\\|"]/g, '_')}.png`;
  const path = [platform, 'Named_Boxarts', file].map(encodePart).join('/');
  return new URL(`${base.replace(/(?<!\/)\/+$/, '')}/${path}`);
}

/**
 * Returns the names under which a release's cover may be stored, best first: each as it is, then
 * each cut at its first " (", as RetroArch does.
 */
export function namesToTry(names: readonly string[]): string[] {
  const cut = names.map((name) => name.split(' (', 1)[0] ?? '');
  return [...new Set([...names, ...cut])].filter((name) => name !== '');
}

function encodePart(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}
