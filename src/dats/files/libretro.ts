import type { ZipEntry } from '../../zip/zip-entries.ts';

/**
 * The folders of github.com/libretro/libretro-database with releases of Redump and No-Intro and
 * with metadata of fields that a release has, in the order of their import. The rest of the
 * database (other DATs, cheats, compiled databases) is made from these or lists other things.
 */
const folders = [
  'redump',
  'no-intro',
  'developer',
  'publisher',
  'genre',
  'franchise',
  'releaseyear',
  'releasemonth',
  'serial',
].map((name) => `metadat/${name}/`);

/**
 * Returns the entries to import from a zip of the whole libretro database, as GitHub sends it.
 * Returns null for any other zip.
 */
export function libretroEntries(entries: readonly ZipEntry[]): ZipEntry[] | null {
  const [top = ''] = /^[^/]+\//.exec(entries[0]?.name ?? '') ?? [];
  const has = (folder: string) => entries.some(({ name }) => name.startsWith(`${top}${folder}`));
  if (!has('rdb/') || !has('metadat/redump/')) return null;
  return folders.flatMap((folder) =>
    entries.filter(({ name }) => name.startsWith(`${top}${folder}`)),
  );
}
