import type { ExportRelease } from '../plan/export-release.ts';
import type { PlannedGame } from '../plan/planned-game.ts';
import { retroarchLabel } from './retroarch-names.ts';

/**
 * Yields a playlist of RetroArch, version 1.5 (playlist.c). `folder` is the folder of the games on
 * the device, below `romsPath`. If `romsPath` has backslashes or a drive letter, it is a Windows
 * path.
 *
 * `base_content_directory` lets RetroArch replace `romsPath` by its own folder, if "Portable
 * Playlists" is on.
 */
export async function* retroarchPlaylist(
  games: AsyncIterable<PlannedGame>,
  { playlist, folder, romsPath }: { playlist: string; folder: string; romsPath: string },
): AsyncGenerator<string> {
  const isWindows = /\\|^[a-z]:/i.test(romsPath);
  const separator = isWindows ? '\\' : '/';
  const base = playlistBase(romsPath);
  // RetroArch replaces the text of the base, so a separator follows it, also after a root. Two
  // backslashes would name a server.
  const start = base === '\\' ? base : `${base}${separator}`;
  const header = {
    version: '1.5',
    default_core_path: '',
    default_core_name: '',
    base_content_directory: base,
    label_display_mode: 0,
    right_thumbnail_mode: 0,
    left_thumbnail_mode: 0,
    sort_mode: 0,
  };
  yield `${JSON.stringify(header, null, 2).slice(0, -2)},\n  "items": [`;
  let before = '\n';
  for await (const game of games) {
    const [path, member] = [`${folder}/${game.entry}`, memberOf(game)];
    const item = {
      path: `${start}${isWindows ? path.replaceAll('/', '\\') : path}${member}`,
      label: retroarchLabel(game),
      core_path: 'DETECT',
      core_name: 'DETECT',
      crc32: checksumOf(game.releases[0]),
      db_name: `${playlist}.lpl`,
    };
    yield before + indented(JSON.stringify(item, null, 2));
    before = ',\n';
  }
  yield '\n  ]\n}\n';
}

/**
 * Returns the folder of all games on the device as a playlist states it. The folder has no
 * separator at its end, unless it is a root.
 */
export function playlistBase(romsPath: string): string {
  const path = romsPath.toWellFormed();
  let end = path.length;
  while (end > 0 && (path[end - 1] === '/' || path[end - 1] === '\\')) end -= 1;
  return end === 0 ? path.slice(0, 1) || '/' : path.slice(0, end);
}

/** Returns the part of a path that names the image in an archive, or "". */
function memberOf({ files, playlist }: PlannedGame): string {
  const inside = playlist === null ? files[0]?.source.inside : null;
  const name = inside?.name?.toWellFormed() ?? '';
  return name === '' || /[\x00-\x1f#\\]/.test(name) ? '' : `#${name}`;
}

/**
 * Returns the CRC-32 of the largest ROM, by which RetroArch finds a game in its database. Without a
 * CRC-32, returns the first serial, or else `DETECT`.
 */
function checksumOf({ roms, serial }: ExportRelease): string {
  const largest = roms.reduce<ExportRelease['roms'][number] | null>(
    (best, rom) => (rom.crc32 !== '' && (best === null || rom.size > best.size) ? rom : best),
    null,
  );
  if (largest !== null) return `${largest.crc32.toUpperCase()}|crc`;
  const [first = ''] = serial.split(',');
  return /^[\w .-]{1,60}$/.test(first.trim()) ? `${first.trim()}|serial` : 'DETECT';
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}
