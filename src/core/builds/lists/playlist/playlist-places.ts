import { type Playlist, valueIn } from './parse-playlist.ts';

/** Converts between the paths of a playlist and the places of the games of a build. */
export interface PlaylistPlaces {
  /** Returns the path of a game below the folder of the list's games; null for other games. */
  placeOf(path: unknown, isKnown: (place: string) => boolean): string | null;
  /** Returns the path of a game as this playlist states it, with the image in its archive. */
  pathOf(place: string, member: string): string;
}

/** The end of the name of an archive, before the image in it (`path_get_archive_delim`). */
const archiveEnd = /\.(?:zip|apk|7z|rar|gz)#/i;

/**
 * Returns the places of a playlist, which may be on another device: RetroArch replaces the base
 * folder of all paths by its own if "Portable Playlists" is on, and writes it to the playlist.
 * `bases` are those of the builds.
 */
export function placesIn(list: Playlist, bases: readonly string[], folder: string): PlaylistPlaces {
  const stated = valueIn([...list.before, ...list.after], 'base_content_directory');
  const present = typeof stated === 'string' && stated !== '' ? withoutEnd(stated) : null;
  const base = present ?? withoutEnd(bases[0] ?? '');
  const isWindows = /\\|^[a-z]:/i.test(base);
  const all = new Set([base, ...bases.map(withoutEnd)]);
  const starts = [...all].map((each) => `${slashed(each)}/${folder}/`);
  return {
    placeOf(path, isKnown) {
      if (typeof path !== 'string') return null;
      const whole = slashed(path);
      const start = starts.find((each) => whole.startsWith(each));
      if (start === undefined) return null;
      const place = whole.slice(start.length);
      return isKnown(place) ? place : withoutMember(place).place;
    },
    pathOf(place, member) {
      const path = `/${folder}/${place}`;
      return base + (isWindows ? path.replaceAll('/', '\\') : path) + member;
    },
  };
}

/** Splits a path after the name of an archive. */
export function withoutMember(path: string): { place: string; member: string } {
  const found = archiveEnd.exec(path);
  if (found === null) return { place: path, member: '' };
  const end = found.index + found[0].length - 1;
  return { place: path.slice(0, end), member: path.slice(end) };
}

/** Returns a path of Windows with the separators of all other systems. */
function slashed(path: string): string {
  return /^(?:[a-z]:|\\)/i.test(path) ? path.replaceAll('\\', '/') : path;
}

function withoutEnd(path: string): string {
  return /[/\\]$/.test(path) ? path.slice(0, -1) : path;
}
