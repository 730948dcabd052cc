import { join } from 'node:path';
import { setting } from '../setting.ts';
import { durationOrZero, folders, namedFolders, webUrlOrNone } from '../setting-text.ts';

/** The settings of the library, and of the sources of covers and DATs. */
export const librarySettings = {
  /** Absolute paths. */
  gamesRoots: setting({
    option: 'games-root',
    takes: '<dir...>',
    variable: 'CATALOG_GAMES_ROOT',
    meaning: 'folder with game images',
    more: 'repeatable; replaces variables and defaults of both kinds',
    usedBy: 'server',
    fallback: (data) => [join(data, 'games')],
    shownDefault: 'games in the data folder',
    isRoot: true,
    read: folders,
  }),
  /** Absolute paths. */
  videosRoots: setting({
    option: 'videos-root',
    takes: '<dir...>',
    variable: 'CATALOG_VIDEOS_ROOT',
    meaning: 'folder with video images',
    more: 'like `--games-root`',
    usedBy: 'server',
    fallback: (data) => [join(data, 'videos')],
    shownDefault: 'videos in the data folder',
    isRoot: true,
    read: folders,
  }),
  /** In milliseconds; 0 for no automatic scans. */
  scanEvery: setting({
    option: 'scan-every',
    takes: '<time>',
    variable: 'CATALOG_SCAN_EVERY',
    meaning: 'time between two looks for new library files, such as 15m or 1h, 0 for none',
    more: '[new files](../library.md#new-files)',
    usedBy: 'account API',
    fallback: 15 * 60_000,
    shownDefault: '15m',
    read: durationOrZero,
  }),
  /** The folders that jobs may build trees in. */
  targets: setting({
    option: 'target',
    takes: '<name=dir...>',
    variable: 'CATALOG_TARGETS',
    meaning: 'folder that editors can build trees of games in, by a name such as stick=/mnt/stick',
    more: '[building from the page](../building.md#from-the-page)',
    usedBy: 'account API',
    fallback: [],
    shownDefault: 'none',
    read: namedFolders,
  }),
  /** "" for none. */
  coverSource: setting({
    option: 'cover-source',
    takes: '<url>',
    variable: 'CATALOG_COVER_SOURCE',
    meaning: 'URL of the server to fetch covers from, "" for none',
    more: '[covers](covers.md)',
    usedBy: 'server',
    fallback: 'https://thumbnails.libretro.com',
    isEmptyValue: true,
    read: webUrlOrNone,
  }),
  /** "" for none. */
  catalogueSource: setting({
    option: 'catalogue-source',
    takes: '<url>',
    variable: 'CATALOG_CATALOGUE_SOURCE',
    meaning: 'URL of a zip of DATs that editors can fetch with one click, "" for none',
    more: '[the libretro catalogue](../importing.md#the-libretro-catalogue)',
    usedBy: 'account API',
    fallback: 'https://github.com/libretro/libretro-database/archive/refs/heads/master.zip',
    shownDefault: "libretro-database's on GitHub",
    isEmptyValue: true,
    read: webUrlOrNone,
  }),
};
