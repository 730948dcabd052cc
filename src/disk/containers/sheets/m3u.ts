import type { Sheet } from './sheet.ts';

const MAX_DISCS = 100;

/**
 * Parses a playlist of an emulator. Each line names the sheet or the image of one disc. Returns
 * null if the lines are not such a playlist. A line may have a label after `|`. The label is
 * ignored. Lines that start with `#` are comments.
 *
 * Source: docs.libretro.com "Multi-disc games". An m3u names the sheets or images of a game's discs
 * in order.
 */
export function m3uSheet(lines: readonly string[]): Sheet | null {
  const names = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.replace(/\|.*/s, '').replaceAll('\\', '/').replace(/^\.\//, ''));
  if (names.length === 0 || names.length > MAX_DISCS) return null;
  if (
    !names.every((name) =>
      /^[^/:].*\.(?:cue|gdi|ccd|mds|chd|iso|bin|img|pbp|cso|nrg|cdi|ecm)$/i.test(name),
    )
  ) {
    return null;
  }
  return { files: names.map((name) => ({ name, tracks: [] })), dataTracks: [] };
}
