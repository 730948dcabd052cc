import type { ZipEntry } from '../../zip/zip-entries.ts';

/**
 * The folders of github.com/libretro/libretro-database to import, in import order. They contain the
 * releases of Redump and No-Intro, and metadata for fields of a release. The other folders (other
 * DATs, cheats, compiled databases) are made from these folders, or list other things.
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
