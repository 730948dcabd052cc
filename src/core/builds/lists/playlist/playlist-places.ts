import type { ListedFiles } from '../list-form.ts';
import { type Playlist, valueIn } from './parse-playlist.ts';

/** A game of a playlist: its path below the folder of the list's games, and the image in it. */
export interface ListedGame {
  readonly place: string;
  /** The name of the image in an archive after `#`; else "". */
  readonly member: string;
}

/** Converts between the paths of a playlist and the places of the games of a build. */
export interface PlaylistPlaces {
  /** Returns the game at a path. Returns null if it is not below the folder of the list's games. */
  gameAt(path: unknown, isKnown: (place: string) => boolean): ListedGame | null;
  /** Returns the path of a game as this playlist states it. */
  pathOf(game: ListedGame): string;
}

/** The end of the name of an archive, before the image in it (`path_get_archive_delim`). */
const archiveEnd = /\.(?:zip|apk|7z|rar|gz)#/i;

/**
 * Returns the places of a playlist, which may come from another device. If "Portable Playlists" is
 * on, RetroArch replaces the base folder of all paths by its own, and writes its base folder to the
 * playlist. `bases` contains the base folders of the builds.
 *
 * RetroArch replaces exactly the text of the base folder. So a path consists of the base folder, a
 * separator and the rest. If the base folder ends with a separator, a path has two of them, which
 * does not change its meaning.
 */
export function placesIn(
  list: Playlist,
  bases: readonly string[],
  { folder, key }: { folder: string; key: ListedFiles['key'] },
): PlaylistPlaces {
  const base = baseIn(list) ?? bases[0] ?? '';
  const isWindows = /\\|^[a-z]:/i.test(base);
  const keyOf = (part: string) => (/^[a-z]:$/i.test(part) ? part.toLowerCase() : key(part));
  const starts = [...new Set([base, ...bases])].map((each) =>
    partsOf(`${each}/${folder}`).map(keyOf),
  );
  return {
    gameAt(path, isKnown) {
      if (typeof path !== 'string') return null;
      const rest = starts
        .map((start) => restAfter(path, start, keyOf))
        .find((each) => each !== null);
      if (rest === undefined || rest === null) return null;
      return isKnown(rest) ? { place: rest, member: '' } : withoutMember(rest);
    },
    pathOf({ place, member }) {
      const path = `/${folder}/${place}`;
      return joined(base, isWindows ? path.replaceAll('/', '\\') : path) + member;
    },
  };
}

/** Returns the base folder that a playlist states; null for none. */
export function baseIn({ before, after }: Pick<Playlist, 'before' | 'after'>): string | null {
  const base = valueIn([...before, ...after], 'base_content_directory');
  return typeof base === 'string' && base !== '' ? base : null;
}

function joined(base: string, path: string): string {
  // Two backslashes at the start of a path would name a server.
  return base === '\\' ? path : base + path;
}

/** Splits a path after the name of an archive. */
function withoutMember(path: string): ListedGame {
  const found = archiveEnd.exec(path);
  if (found === null) return { place: path, member: '' };
  const end = found.index + found[0].length - 1;
  return { place: path.slice(0, end), member: path.slice(end) };
}

/** Returns the names in a path. The first one is "" for a path from the root. */
function partsOf(path: string): string[] {
  return slashed(path).split(/\/+/);
}

/**
 * Returns the part of a path below a folder. `folder` contains the keys of the names in the
 * folder's path. Returns null if the path is not below the folder.
 */
function restAfter(
  path: string,
  folder: readonly string[],
  keyOf: (part: string) => string,
): string | null {
  const parts = partsOf(path);
  const isBelow =
    parts.length > folder.length && folder.every((part, at) => keyOf(parts[at] ?? '') === part);
  return isBelow ? parts.slice(folder.length).join('/') : null;
}

/** Returns a Windows path with slashes instead of backslashes. Returns any other path unchanged. */
function slashed(path: string): string {
  return /^(?:[a-z]:|\\)/i.test(path) ? path.replaceAll('\\', '/') : path;
}
